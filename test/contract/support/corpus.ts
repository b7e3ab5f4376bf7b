import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One real or broken file and what an upload of it may answer. */
export interface CorpusFile {
  path: string
  format: string
  /** The displayed size, where the manifest knows it. */
  displayed: { width: number; height: number } | undefined
  animated: boolean
  orientation: string
  expected: number[]
}

/** Where the corpus was looked for, to say so when it is not there. */
export const CORPUS_FOLDER = join(import.meta.dirname, '../../../../shared/corpus')

const MANIFEST = join(CORPUS_FOLDER, 'MANIFEST.tsv')

/** The files of the manifest; none when the corpus is not there. */
export function corpusFiles(): CorpusFile[] {
  if (!existsSync(MANIFEST)) return []
  const [head = '', ...lines] = readFileSync(MANIFEST, 'utf8').trimEnd().split('\n')
  const columns = head.split('\t')
  return lines.map((line) => {
    const cells = line.split('\t')
    const cell = (name: string) => cells[columns.indexOf(name)] ?? ''
    const [width, height] = [Number(cell('disp_w')), Number(cell('disp_h'))]
    return {
      path: cell('path'),
      format: cell('format'),
      displayed: width > 0 && height > 0 ? { width, height } : undefined,
      animated: cell('animated') === 'yes',
      orientation: cell('orientation'),
      expected: cell('expected').split('|').map(Number),
    }
  })
}

/** The bytes of one file. */
export function readCorpusFile(path: string): Buffer {
  return readFileSync(join(CORPUS_FOLDER, path))
}
