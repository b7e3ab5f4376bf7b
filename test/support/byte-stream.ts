/**
 * Returns a stream like the body of a request. It returns one chunk for each read, and fails if making a chunk throws.
 * Cancelling it ends the generator.
 */
export function byteStream(chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const making = generate(chunks)
  return new ReadableStream(
    {
      type: 'bytes',
      async pull(controller) {
        const { done, value } = await making.next()
        // A copy, because the reader transfers the chunk's memory.
        if (!done) return controller.enqueue(value.slice())
        controller.close()
        controller.byobRequest?.respond(0)
      },
      cancel() {
        // Not awaited, because the generator of a paused sender never ends.
        void making.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}

/** Yields the chunks, and then waits forever, like a paused sender. */
export async function* thenNothing(chunks: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* chunks
  await new Promise(() => {})
}

async function* generate(chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  // Streams of bytes have no empty chunks.
  for await (const chunk of chunks) if (chunk.length > 0) yield chunk
}
