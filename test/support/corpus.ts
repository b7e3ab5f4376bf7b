import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const CORPUS = fileURLToPath(new URL('../../../shared/corpus', import.meta.url).href)

/** A file of the shared corpus of real and broken images, with its row of the manifest. */
export interface CorpusFile {
  path: string
  format: string
  width: number
  height: number
  /** Upright; 0 if the manifest does not have it. */
  shownWidth: number
  shownHeight: number
  animated: boolean
  /** An EXIF orientation, or the names of an AVIF's transforms. */
  orientation: string
  /** The allowed statuses of its upload. */
  expected: number[]
  read(): Uint8Array
}

/** Returns the rows of the corpus's manifest. Without the corpus it prints a message and returns none. */
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
      // A copy, because small files of Node share a buffer.
      read: () => new Uint8Array(readFileSync(join(CORPUS, cell('path')))),
    }
  })
}
