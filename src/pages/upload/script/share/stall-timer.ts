/** Fails work in which nothing has progressed for a time. */
export class StallTimer {
  readonly #timeoutMs: number
  readonly #controller = new AbortController()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs
  }

  /** Returns the result of `work`. Throws when it fails, or stalls. */
  async limit<T>(work: Promise<T>): Promise<T> {
    const { signal } = this.#controller
    this.progress()
    try {
      return await Promise.race([
        work,
        new Promise<never>((_, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
        ),
      ])
    } finally {
      clearTimeout(this.#timer)
      this.#controller.abort()
    }
  }

  /** Returns the same stream. Each chunk is progress; the stream fails once the work is over. */
  watch(stream: ReadableStream<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array<ArrayBuffer>> {
    const progress = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform: (chunk, controller) => {
        this.progress()
        controller.enqueue(chunk)
      },
    })
    return stream.pipeThrough(progress, { signal: this.#controller.signal })
  }

  /** Restarts the timeout after progress. */
  progress(): void {
    clearTimeout(this.#timer)
    if (this.#controller.signal.aborted) return
    this.#timer = setTimeout(() => this.#controller.abort(new Error('nothing has progressed')), this.#timeoutMs)
  }
}
