import { type Delimiter, delimiterFinder } from '../../../../multipart-delimiter.ts'

/** Browsers send some 200 bytes of headers with a file, and its name. */
const HEADERS_MAX_BYTES = 16 * 1024
const LINE_BREAK = '\r\n'
const HEADERS_END = bytesOf('\r\n\r\n')

type Find = (bytes: Uint8Array) => Delimiter
/** The line of a delimiter: whether another part follows. */
type Line = 'opens' | 'closes'

/** A file of a share before it is stored. */
export interface IncomingFile {
  name: string
  type: string
  content: ReadableStream<Uint8Array>
}

/**
 * Reads the files of one field of a multipart/form-data body as they arrive (RFC 7578): a share may be larger than the memory of a
 * phone. Each file is passed to `receive`; the next one is read when the returned promise is settled. Content that was not read is
 * skipped. Throws if the body is not such a form.
 */
export async function readSharedForm(
  { body, headers }: Pick<Request, 'body' | 'headers'>,
  field: string,
  receive: (file: IncomingFile) => Promise<void>,
): Promise<void> {
  const boundary = /boundary="?([^";]+)/.exec(headers.get('Content-Type') ?? '')?.[1]
  if (!body || boundary === undefined) throw new Error('the share is no form')
  const find = delimiterFinder(bytesOf(`${LINE_BREAK}--${boundary}`))
  const source = new Source(body)
  let line = await new Content(source, find).skip()
  while (line === 'opens') {
    const part = parseHeaders(await source.headers())
    const content = new Content(source, find)
    if (part.field === field && part.name !== undefined) {
      await receive({ name: part.name, type: part.type, content: content.stream })
    }
    line = await content.skip()
  }
  source.cancel()
}

/** Bytes of a stream, of which only those of the current chunk and of a possible delimiter are in memory. */
class Source {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  /** Begins as all delimiters do: the first one has no line break of its own. */
  #bytes: Uint8Array = bytesOf(LINE_BREAK)

  constructor(body: ReadableStream<Uint8Array>) {
    this.#reader = body.getReader()
  }

  /** Returns the next bytes before a delimiter, or skips the delimiter and returns its line. Throws if the body ends before. */
  async next(find: Find): Promise<Uint8Array | Line> {
    for (;;) {
      const { at, length, line } = find(this.#bytes)
      if (at > 0) return this.#take(at)
      if (line !== 'unknown') {
        this.#take(length)
        return line
      }
      await this.#fill()
    }
  }

  /** Returns the headers of a part, which begin with the line break of its delimiter, and skips their end. */
  async headers(): Promise<string> {
    for (;;) {
      const at = indexOf(this.#bytes, HEADERS_END)
      if ((at < 0 ? this.#bytes.length : at) > HEADERS_MAX_BYTES) {
        throw new Error('the headers of a shared file are too long')
      }
      if (at >= 0) {
        const text = new TextDecoder().decode(this.#take(at))
        this.#take(HEADERS_END.length)
        return text
      }
      await this.#fill()
    }
  }

  /** Ends the body. What remains of it is nothing that a result waits for. */
  cancel(): void {
    this.#reader.cancel().catch(() => undefined)
  }

  #take(length: number): Uint8Array {
    const taken = this.#bytes.subarray(0, length)
    this.#bytes = this.#bytes.subarray(length)
    return taken
  }

  async #fill(): Promise<void> {
    const { done, value } = await this.#reader.read()
    if (done) throw new Error('the share ends before its last boundary')
    const joined = new Uint8Array(this.#bytes.length + value.length)
    joined.set(this.#bytes)
    joined.set(value, this.#bytes.length)
    this.#bytes = joined
  }
}

/** The content of one part. */
class Content {
  readonly stream: ReadableStream<Uint8Array>
  readonly #source: Source
  readonly #find: Find
  /** The line of the delimiter at its end, once that is read. */
  #line: Line | undefined
  /** The last read: the consumer of the stream may cancel during one. */
  #reading: Promise<unknown> = Promise.resolve()

  constructor(source: Source, find: Find) {
    this.#source = source
    this.#find = find
    this.stream = new ReadableStream(
      {
        pull: async (controller) => {
          const chunk = await this.#next()
          if (typeof chunk === 'string') controller.close()
          else controller.enqueue(chunk)
        },
      },
      { highWaterMark: 0 },
    )
  }

  /** Skips the unread content, and returns the line of the delimiter at its end. */
  async skip(): Promise<Line> {
    for (;;) {
      const chunk = await this.#next()
      if (typeof chunk === 'string') return chunk
    }
  }

  #next(): Promise<Uint8Array | Line> {
    const chunk = this.#reading.then(() => this.#read())
    this.#reading = chunk.catch(() => undefined)
    return chunk
  }

  async #read(): Promise<Uint8Array | Line> {
    const chunk = this.#line ?? (await this.#source.next(this.#find))
    if (typeof chunk === 'string') this.#line = chunk
    return chunk
  }
}

/** Returns the field, file name and type of a part. `name` is undefined for a text. */
function parseHeaders(text: string): { field: string; name: string | undefined; type: string } {
  const disposition = /^content-disposition:(.*)$/im.exec(text)?.[1] ?? ''
  return {
    field: decodeName(/; *name="([^"]*)"/i.exec(disposition)?.[1] ?? ''),
    name: decodeName(/; *filename="([^"]*)"/i.exec(disposition)?.[1]),
    type: /^content-type: *(.*)$/im.exec(text)?.[1] ?? '',
  }
}

function decodeName<Text extends string | undefined>(text: Text): Text | string {
  return text?.replace(/%22|%0D|%0A/gi, (code) => decodeURIComponent(code)) ?? text
}

function indexOf(bytes: Uint8Array, pattern: Uint8Array): number {
  const first = pattern[0] ?? 0
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (at + pattern.length > bytes.length) return -1
    if (pattern.every((byte, index) => bytes[at + index] === byte)) return at
  }
  return -1
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
