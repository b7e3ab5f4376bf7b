import { concat } from './bytes.ts'

/** The zlib stream (RFC 1950) of all the pieces, in pieces of its own; an error of theirs is met here. */
export function zlibDeflated(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  return piped(pieces, new CompressionStream('deflate'))
}

/** The zlib stream of some bytes. */
export async function zlibDeflate(bytes: Uint8Array): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  for await (const piece of zlibDeflated(only(bytes))) pieces.push(piece)
  return concat(pieces)
}

/** Decompresses a zlib stream; undefined if it is broken or has more bytes than the maximum. */
export async function zlibInflate(stream: Uint8Array, maxBytes: number): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const piece of piped(only(stream), new DecompressionStream('deflate'))) {
      bytes += piece.length
      if (bytes > maxBytes) return undefined
      pieces.push(piece)
    }
  } catch {
    return undefined
  }
  return concat(pieces)
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

async function* piped(
  pieces: AsyncIterable<Uint8Array>,
  { readable, writable }: CompressionStream | DecompressionStream,
): AsyncGenerator<Uint8Array> {
  const writer = writable.getWriter()
  const reader = readable.getReader()
  let failure: { error: unknown } | undefined
  const write = async () => {
    try {
      for await (const piece of pieces) await writer.write(new Uint8Array(piece))
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
