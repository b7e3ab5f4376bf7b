/** A chunk of a PNG or a RIFF file, as offsets into the file. */
export interface Chunk {
  /** The four-character code. */
  type: string
  /** The offset of the first of its header's fields. */
  start: number
  body: number
  bodyEnd: number
  /** The offset after the CRC of PNG, or after the padding byte of RIFF. */
  end: number
  /** Whether the file has all of it. */
  whole: boolean
}
