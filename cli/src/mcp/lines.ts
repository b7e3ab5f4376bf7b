/**
 * Splits a stream into lines. A line of more than `maxBytes` is `undefined`, and its bytes are dropped as they come. The last line
 * needs no end.
 */
export async function* linesOf(stream: AsyncIterable<unknown>, maxBytes: number): AsyncGenerator<string | undefined> {
  let chunks: Uint8Array[] = []
  let length = 0
  const take = (rest: Uint8Array) => {
    length += rest.length
    if (length > maxBytes) chunks = []
    else chunks.push(rest)
  }
  const line = () => {
    const text = length > maxBytes ? undefined : Buffer.concat(chunks).toString()
    chunks = []
    length = 0
    return text
  }
  for await (const chunk of stream) {
    if (!(chunk instanceof Uint8Array)) continue
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      take(chunk.subarray(start, end))
      yield line()
      start = end + 1
    }
    take(chunk.subarray(start))
  }
  if (length > 0) yield line()
}

const NEWLINE = 0x0a
