import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'

/** An image of a gallery that the host lists. */
export interface Listed {
  name: string
  bytes: Buffer
  /** Replaces fields of the list. */
  fields?: Record<string, unknown>
}

/**
 * Treatment of a request for an original: the whole, a part of it before the connection is cut or stalls, or another response.
 */
export type MediaFate =
  | 'pass'
  | 'ignore range'
  | { cutAfter: number }
  | { stallAfter: number }
  | { status: number; headers?: Record<string, string>; body?: string | Buffer }

export interface MediaHost {
  url: string
  /** The link of the gallery. */
  gallery: string
  /** Requests for originals: the index of the image, and the range. */
  requests: { image: number; range: string | undefined; atMs: number }[]
}

const UPLOADED_AT = '2026-11-01T12:00:00.000Z'

/** Starts a host with one gallery, as JSON in pages. It ends with the test. */
export async function startMediaHost(
  images: readonly Listed[],
  {
    pageSize = 100,
    fateOf = () => 'pass',
    next,
  }: { pageSize?: number; fateOf?: (image: number, attempt: number) => MediaFate; next?: string } = {},
): Promise<MediaHost> {
  const requests: MediaHost['requests'] = []
  const server = createServer(handle)
  let url = ''

  function handle(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { pathname, searchParams } = new URL(incoming.url ?? '', url)
    if (pathname === '/gallery/abc') {
      respondWithPage(outgoing, Number(searchParams.get('page') ?? 1))
      return
    }
    const image = Number(/^\/images\/1\/(\d+)_/.exec(pathname)?.[1])
    const { range } = incoming.headers
    requests.push({ image, range, atMs: Date.now() })
    const attempt = requests.filter((request) => request.image === image).length
    respondWithImage(outgoing, { bytes: images[image]?.bytes ?? Buffer.of(), range, fate: fateOf(image, attempt) })
  }

  function respondWithPage(outgoing: ServerResponse, page: number): void {
    const first = (page - 1) * pageSize
    const body = {
      name: 'Gärten / 2026',
      image_count: images.length,
      images: images.slice(first, first + pageSize).map(({ name, bytes, fields }, index) => ({
        name,
        show_url: `${url}/show/1/${first + index}_a.png`,
        image_url: `${url}/images/1/${first + index}_a.png`,
        media_type: 'image/png',
        bytes: bytes.length,
        created_at: UPLOADED_AT,
        ...fields,
      })),
      ...(first + pageSize < images.length && { next: next ?? `${url}/gallery/abc?page=${page + 1}` }),
    }
    outgoing.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const bound = server.address()
  if (bound === null || typeof bound === 'string') throw new Error('the host has no port')
  url = `http://127.0.0.1:${bound.port}`
  return { url, gallery: `${url}/gallery/abc`, requests }
}

function respondWithImage(
  outgoing: ServerResponse,
  { bytes, range, fate }: { bytes: Buffer; range: string | undefined; fate: MediaFate },
): void {
  if (typeof fate === 'object' && 'status' in fate) {
    outgoing.writeHead(fate.status, { 'content-type': 'image/png', ...fate.headers }).end(fate.body)
    return
  }
  const start = fate === 'ignore range' ? 0 : Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0)
  const headers = { 'content-type': 'image/png', 'content-length': String(bytes.length - start) }
  if (start > 0)
    outgoing.writeHead(206, { ...headers, 'content-range': `bytes ${start}-${bytes.length - 1}/${bytes.length}` })
  else outgoing.writeHead(200, headers)
  if (typeof fate === 'string') {
    outgoing.end(bytes.subarray(start))
    return
  }
  const end = start + ('cutAfter' in fate ? fate.cutAfter : fate.stallAfter)
  outgoing.write(bytes.subarray(start, end), () => {
    // The bytes are on their way before the connection is cut.
    if ('cutAfter' in fate) setImmediate(() => outgoing.socket?.end())
  })
}
