import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { type ApiResponse, send } from './client.ts'

/** Content that a test created in another service, with the data to delete it. */
type Created =
  | { token: string }
  | { gallery: string; uploadToken: string; managed: boolean }
  | { filled: string }
  | { lost: string }

/** The result of a deletion. */
interface Cleared {
  /** The number of management tokens whose content was deleted. */
  deleted: number
  /** The number of empty galleries without a management token that were removed. */
  removed: number
  /** Sentences about the content that could not be deleted. */
  left: string[]
}

const FIELD_MAX_BYTES = 1000
const MANAGE_URL = /\/manage\/([A-Za-z0-9_-]{43})(?![A-Za-z0-9_-])/g

/** Records in `file` the content that a request created with status 200; `sent` is its body. */
export function noteCreated(file: string, path: string, sent: Buffer, { text }: ApiResponse, test: string): void {
  const note = (created: Created) => appendFileSync(file, `${JSON.stringify(created)}\n`)
  const tokens = [...text.matchAll(MANAGE_URL)].map(([, token = '']) => token)
  for (const token of new Set(tokens)) note({ token })
  if (path === '/galleries') {
    const { gallery_hash: gallery, gallery_upload_hash: uploadToken } = JSON.parse(text)
    note({ gallery, uploadToken, managed: tokens.length > 0 })
  } else {
    const gallery = fieldOf(sent, 'gallery_hash')
    if (gallery) note({ filled: gallery })
    else if (tokens.length === 0) note({ lost: test })
  }
}

/** Returns the value of a text field in a multipart body, or undefined without such a field. */
export function fieldOf(body: Buffer, name: string): string | undefined {
  for (const written of [`name="${name}"`, `name=${name}`]) {
    const at = body.indexOf(written)
    const rest = body.toString('latin1', at + written.length, at + FIELD_MAX_BYTES)
    const value = /^(?:[;\r\n][\s\S]*?)??\r\n\r\n([^\r\n]*)/.exec(rest)?.[1]
    if (at >= 0 && value !== undefined) return value
  }
  return undefined
}

/**
 * Deletes all content that is recorded in `file`, by its management tokens. Finalizing removes an empty gallery without
 * a token. A gallery with images stays, because finalizing would publish it.
 */
export async function clearCreated(baseUrl: string, host: string, file: string): Promise<Cleared> {
  const created = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').filter(Boolean).map(readLine) : []
  const cleared: Cleared = { deleted: 0, removed: 0, left: [] }
  const tokens = new Set(created.flatMap((made) => ('token' in made ? [made.token] : [])))
  for (const token of tokens) {
    const { status } = await send(baseUrl, { path: `/management/${token}/delete`, host })
    if (status === 200 || status === 410) cleared.deleted++
    else cleared.left.push(`what a management token was for: its deletion had the status ${status}`)
  }
  const filled = new Set(created.flatMap((made) => ('filled' in made ? [made.filled] : [])))
  for (const made of created) {
    if ('lost' in made) cleared.left.push(`a picture without a management token, of the test: ${made.lost}`)
    if (!('gallery' in made) || made.managed) continue
    if (filled.has(made.gallery)) cleared.left.push(`gallery ${made.gallery}: made without a management token`)
    else {
      const { status } = await finalize(baseUrl, host, made)
      if (status === 200 || status === 415) cleared.removed++
      else cleared.left.push(`gallery ${made.gallery}: finalizing it had the status ${status}`)
    }
  }
  return cleared
}

function finalize(baseUrl: string, host: string, made: { gallery: string; uploadToken: string }): Promise<ApiResponse> {
  return send(baseUrl, {
    path: `/galleries/${made.gallery}/finalize`,
    host,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `gallery_upload_hash=${made.uploadToken}`,
  })
}

function readLine(line: string): Created {
  return JSON.parse(line)
}
