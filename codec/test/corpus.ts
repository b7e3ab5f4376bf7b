import { listCorpus } from '../../test/support/corpus.ts'

/** One image of the corpus. */
export interface CorpusImage {
  readonly path: string
  readonly width: number
  readonly height: number
  /** The status an upload of it must get; `200|422` if both are right. */
  readonly expected: string
  readonly file: Buffer
  /** Of a WebP: the names of its chunks, as far as they can be read; of other formats none. */
  readonly chunks: readonly string[]
}

const files = listCorpus()

/** Whether the corpus is there; tests of it are skipped otherwise. */
export const hasCorpus = files.length > 0

/** The images of one format; none if the corpus is not there. */
export function corpusImages(format: string): CorpusImage[] {
  return files
    .filter((file) => file.format === format)
    .map(({ path, width, height, expected, read }) => {
      const file = Buffer.from(read())
      const chunks = format === 'webp' ? webpChunks(file) : []
      return { path, width, height, expected: expected.join('|'), file, chunks }
    })
}

/** The size at which an image fits into a square of 200 pixels; never larger than itself. */
export function thumbnailSize(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, 200 / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

function webpChunks(file: Buffer): string[] {
  const names: string[] = []
  for (let at = 12; at + 8 <= file.length; ) {
    names.push(file.toString('latin1', at, at + 4).trimEnd())
    const bytes = file.readUInt32LE(at + 4)
    at += 8 + bytes + (bytes & 1)
  }
  return names
}
