// A Worker that reads a form as the path of the request says, for bench/forms.ts.
import { readMultipart } from '../../src/http/body/multipart.ts'
import { incoming } from '../../test/support/incoming.ts'

const FIELDS = { texts: ['content_type'], files: ['img', 'img_right'] }

const READERS: Readonly<Record<string, (request: Request) => Promise<number>>> = {
  async tintype(request) {
    const { files } = await readMultipart(incoming(request), FIELDS)
    return [...files.values()].reduce((sum, { bytes }) => sum + bytes.length, 0)
  },
  async formData(request) {
    const form = await request.formData()
    return [...form.values()].reduce((sum, value) => sum + (value instanceof Blob ? value.size : 0), 0)
  },
  async arrayBuffer(request) {
    return (await request.arrayBuffer()).byteLength
  },
}

export default {
  async fetch(request: Request): Promise<Response> {
    const read = READERS[new URL(request.url).pathname.slice(1)]
    return read ? Response.json(await read(request)) : new Response(null, { status: 404 })
  },
}
