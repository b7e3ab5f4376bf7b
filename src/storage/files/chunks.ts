/** A default reader of workerd takes 4 KiB at a time, which costs three times the CPU. */
const CHUNK_MAX_BYTES = 65_536

/** Returns the next bytes of a stream, at most 64 KiB; undefined at its end. */
export async function readChunk(reader: ReadableStreamBYOBReader): Promise<Uint8Array | undefined> {
  const { value, done } = await reader.read(new Uint8Array(CHUNK_MAX_BYTES))
  return done ? undefined : value
}

/** The bytes of a stream, in chunks of at most 64 KiB. The stream is cancelled where a loop over them is left early. */
export async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const reader = body.getReader({ mode: 'byob' })
  let isRead = false
  try {
    for (let chunk = await readChunk(reader); chunk; chunk = await readChunk(reader)) yield chunk
    isRead = true
  } finally {
    if (!isRead) await reader.cancel().catch(() => undefined)
  }
}
