// The client of `npm run rehearse`: what all of its checks and questions share.
import * as routes from '../../src/routes.ts'
import { messageOf } from '../shared/command-line.ts'

/** @typedef {{ show_url: string, th_url: string, manage_url: string }} Uploaded */
/** @typedef {{ status: number, headers: Headers, text: string }} Answer */

const TIMEOUT_MS = 180_000

/**
 * Sends requests to the service, and remembers the tokens that it issued.
 * @param {string} origin
 */
export function createClient(origin) {
  /** @type {Set<string>} */
  const tokens = new Set()
  /** @type {Set<string>} of images that are there */
  const live = new Set()
  /** @type {Set<string>} those of the last responses to addresses without a token */
  const requestIds = new Set()

  /**
   * @param {string} address
   * @param {RequestInit} [init]
   * @returns {Promise<Answer>}
   */
  async function ask(address, init = {}) {
    const response = await fetch(new URL(address, origin), {
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...init,
    }).catch((error) => {
      throw new Error(`no answer from ${new URL(address, origin).origin}: ${messageOf(error.cause ?? error)}`)
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
    /**
     * @param {Buffer} bytes
     * @param {Record<string, string>} [fields]
     */
    upload(bytes, fields = {}) {
      const form = new FormData()
      for (const [name, value] of Object.entries({ content_type: '0', include_manage_url: '1', ...fields })) {
        form.set(name, value)
      }
      form.set('img', new Blob([new Uint8Array(bytes)]), 'rehearsal')
      return ask(routes.images, { method: 'POST', body: form })
    },
    /** @param {Answer} answer @returns {Uploaded} */
    uploaded({ status, headers, text }) {
      if (status !== 200) throw new Error(`an upload was answered ${describe({ status, headers, text })}`)
      const found = JSON.parse(text)
      const token = tokenOf(found)
      tokens.add(token)
      live.add(token)
      return found
    },
    /** @param {string} token */
    async remove(token) {
      const answer = await ask(routes.pathOf(routes.deleteContent, { token }), { method: 'POST' })
      if (answer.status === 200) live.delete(token)
      return answer
    },
    /** @param {string} text */
    withoutTokens: (text) => [...tokens].reduce((rest, token) => rest.replaceAll(token, '-'), text),
  }
}

/** @typedef {ReturnType<typeof createClient>} Client */

/** @param {{ manage_url: string }} uploaded */
export function tokenOf({ manage_url: link }) {
  return link.slice(link.lastIndexOf('/') + 1)
}

/** A response in a few words: Cloudflare says in the text by which limit it ended a Worker. */
export function describe(/** @type {Answer} */ { status, headers, text }) {
  const [code] = /error code: \d+/.exec(text) ?? []
  return [status, headers.get('X-Error-Code'), code].filter((word) => word).join(' ')
}

/** The address of an original: that of its thumbnail with another beginning (D7). */
export function originalOf(/** @type {Uploaded} */ { th_url: thumbnail }) {
  return thumbnail.replace('//t', '//img').replace(routes.prefixOf(routes.thumbnail), routes.prefixOf(routes.original))
}
