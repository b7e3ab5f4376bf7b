import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const CORPUS = fileURLToPath(new URL('../../../shared/corpus', import.meta.url).href)

/** A file of the shared corpus of real and broken pictures, and what is known of it. */
export interface CorpusFile {
  path: string
  format: string
  width: number
  height: number
  /** Upright; 0 where the manifest does not know. */
  shownWidth: number
  shownHeight: number
  animated: boolean
  /** An EXIF orientation, or for AVIF the names of its transforms. */
  orientation: string
  /** The statuses an upload of it may have. */
  expected: number[]
  read(): Uint8Array
}

/** The rows of the corpus's manifest; none where the corpus is not beside the repository, which is then said. */
export function listCorpus(): CorpusFile[] {
  const manifest = join(CORPUS, 'MANIFEST.tsv')
  if (!existsSync(manifest)) {
    console.warn(`The corpus is not at ${CORPUS}: its files are not tested.`)
    return []
  }
  const [head = [], ...rows] = readFileSync(manifest, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))
  return rows.map((row) => {
    const cell = (name: string) => row[head.indexOf(name)] ?? ''
    return {
      path: cell('path'),
      format: cell('format'),
      width: Number(cell('width')),
      height: Number(cell('height')),
      shownWidth: Number(cell('disp_w')),
      shownHeight: Number(cell('disp_h')),
      animated: cell('animated') === 'yes',
      orientation: cell('orientation'),
      expected: cell('expected').split('|').map(Number),
      // A copy: small files of Node share a buffer.
      read: () => new Uint8Array(readFileSync(join(CORPUS, cell('path')))),
    }
  })
}
