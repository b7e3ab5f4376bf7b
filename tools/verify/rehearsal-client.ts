// The client of `npm run rehearse`: shared by all checks and questions.
import { z } from 'zod'
import * as routes from '../../src/routes.ts'
import { messageOf } from '../shared/command-line.ts'
import { parseAs } from '../shared/json.ts'

const UPLOADED = z.object({ show_url: z.string(), th_url: z.string(), manage_url: z.string() })
export type Uploaded = z.infer<typeof UPLOADED>

export interface ServiceResponse {
  status: number
  headers: Headers
  text: string
}

const TIMEOUT_MS = 180_000

/** Sends requests to the service, and remembers the tokens that it issued. */
export function createClient(origin: string) {
  const tokens = new Set<string>()
  /** Tokens of images that are not deleted yet. */
  const live = new Set<string>()
  /** Request IDs of responses to addresses without a token. */
  const requestIds = new Set<string>()

  async function ask(address: string, init: RequestInit = {}): Promise<ServiceResponse> {
    const response = await fetch(new URL(address, origin), {
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...init,
    }).catch((error) => {
      throw new Error(`no response from ${new URL(address, origin).origin}: ${messageOf(error.cause ?? error)}`)
    })
    const requestId = response.headers.get('X-Request-ID')
    if (requestId !== null && ![...tokens].some((token) => address.includes(token))) requestIds.add(requestId)
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  return {
    ask,
    tokens,
    live,
    requestIds,
    upload(bytes: Buffer, fields: Record<string, string> = {}) {
      const form = new FormData()
      for (const [name, value] of Object.entries({ content_type: '0', include_manage_url: '1', ...fields })) {
        form.set(name, value)
      }
      form.set('img', new Blob([new Uint8Array(bytes)]), 'rehearsal')
      return ask(routes.images, { method: 'POST', body: form })
    },
    uploaded({ status, headers, text }: ServiceResponse): Uploaded {
      if (status !== 200) throw new Error(`the response to an upload is ${describe({ status, headers, text })}`)
      const found = parseAs(UPLOADED, text)
      const token = tokenOf(found)
      tokens.add(token)
      live.add(token)
      return found
    },
    async remove(token: string) {
      const response = await ask(routes.pathOf(routes.deleteContent, { token }), { method: 'POST' })
      if (response.status === 200) live.delete(token)
      return response
    },
    withoutTokens: (text: string) => [...tokens].reduce((rest, token) => rest.replaceAll(token, '-'), text),
  }
}

export type Client = ReturnType<typeof createClient>

export function tokenOf({ manage_url: link }: { manage_url: string }) {
  return link.slice(link.lastIndexOf('/') + 1)
}

/** Describes a response in a few words, with the code of Cloudflare in the text for a Worker that exceeded a limit. */
export function describe({ status, headers, text }: ServiceResponse) {
  const [code] = /error code: \d+/.exec(text) ?? []
  return [status, headers.get('X-Error-Code'), code].filter((word) => word).join(' ')
}

/** Returns the address of an original: it differs from that of the thumbnail in its beginning (D7). */
export function originalOf({ th_url: thumbnail }: Uploaded) {
  return thumbnail.replace('//t', '//img').replace(routes.prefixOf(routes.thumbnail), routes.prefixOf(routes.original))
}
