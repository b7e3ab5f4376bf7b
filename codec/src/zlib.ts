import { concat } from './bytes.ts'

/** The zlib stream (RFC 1950) of all the pieces, in pieces of its own; an error of theirs is met here. */
export function zlibDeflated(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  return piped(chunks, new CompressionStream('deflate'))
}

/** The zlib stream of some bytes. */
export async function zlibDeflate(bytes: Uint8Array): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of zlibDeflated(only(bytes))) chunks.push(chunk)
  return concat(chunks)
}

/** Decompresses a zlib stream; undefined if it is broken or has more bytes than the maximum. */
export async function zlibInflate(stream: Uint8Array, maxBytes: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of piped(only(stream), new DecompressionStream('deflate'))) {
      bytes += chunk.length
      if (bytes > maxBytes) return undefined
      chunks.push(chunk)
    }
  } catch {
    return undefined
  }
  return concat(chunks)
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

async function* piped(
  chunks: AsyncIterable<Uint8Array>,
  { readable, writable }: CompressionStream | DecompressionStream,
): AsyncGenerator<Uint8Array> {
  const writer = writable.getWriter()
  const reader = readable.getReader()
  let failure: { error: unknown } | undefined
  const write = async () => {
    try {
      for await (const chunk of chunks) await writer.write(new Uint8Array(chunk))
      await writer.close()
    } catch (error) {
      failure = { error }
      await writer.abort(error).catch(() => {})
    }
  }
  const written = write()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } catch (error) {
    throw failure ? failure.error : error
  } finally {
    await reader.cancel().catch(() => {})
    await written
  }
}
