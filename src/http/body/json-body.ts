import { Failure } from '../../domain/failure.ts'
import { readBody } from './body.ts'
import type { Incoming } from './buffered-body.ts'

/** Whether the Content-Type of a request is JSON. */
export function isJsonRequest(request: Request): boolean {
  const mediaType = request.headers.get('Content-Type')?.split(';')[0]
  return mediaType?.trim().toLowerCase() === 'application/json'
}

/**
 * Returns the JSON object in the body of a request, or an empty one for an `optional` body that is missing. Throws `body_too_large`,
 * or `malformed_request` if the body is not a JSON object.
 */
export async function readJsonObject(
  incoming: Incoming,
  maxBytes: number,
  { optional = false } = {},
): Promise<Record<string, unknown>> {
  const bytes = await readBody(incoming, maxBytes)
  if (optional && bytes.length === 0) return {}
  const value = parseJson(bytes)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Failure('malformed_request', 'the body must be a JSON object')
  }
  return { ...value }
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes))
  } catch {
    throw new Failure('malformed_request', 'the body must be valid JSON in UTF-8')
  }
}
