/**
 * A stream like the body of a request: it gives the chunks one by one as they are asked for, and fails when making one
 * throws. Once it is cancelled, so is the making.
 */
export function byteStream(chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const making = generate(chunks)
  return new ReadableStream(
    {
      type: 'bytes',
      async pull(controller) {
        const { done, value } = await making.next()
        // A chunk's memory goes with it, so it is a copy.
        if (!done) return controller.enqueue(value.slice())
        controller.close()
        controller.byobRequest?.respond(0)
      },
      cancel() {
        // Not waited for: a sender that pauses never comes to an end.
        void making.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}

/** The chunks, and then never another, nor an end: a sender that pauses. */
export async function* thenNothing(chunks: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* chunks
  await new Promise(() => {})
}

async function* generate(chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  // A stream of bytes has no empty chunks.
  for await (const chunk of chunks) if (chunk.length > 0) yield chunk
}
