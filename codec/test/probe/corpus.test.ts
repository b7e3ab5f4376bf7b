import { describe, expect, test } from 'vitest'
import { type CorpusFile, listCorpus } from '../../../test/support/corpus.ts'
import { uprightSize } from '../../src/format.ts'
import { probe } from '../../src/probe.ts'
import { ImageRefusal } from '../../src/refusal.ts'

/** Its orientation is in XMP alone, which neither browsers nor D30 heed. */
const TURNED_BY_XMP = 'python-pillow+Pillow/xmp_tags_orientation_exiftool.png'

/** Its first frame lies outside of its canvas, which browsers enlarge to it. */
const ENLARGED = { path: 'robert-ancell+pygif/test-suite/image-outside-bg.gif', width: 4, height: 4 }

/** The orientation that results from an AVIF's transforms in the manifest. Checked against what libheif shows. */
const AVIF_ORIENTATIONS: Record<string, number> = {
  '1': 1,
  '1+clap': 1,
  irot1: 8,
  irot3: 6,
  'python-pillow+Pillow/avif/rot0mir1.avif': 2,
  'python-pillow+Pillow/avif/rot1mir1.avif': 7,
  'python-pillow+Pillow/avif/rot2mir1.avif': 4,
  'python-pillow+Pillow/avif/rot3mir1.avif': 5,
  'AOMediaCodec+libavif/clap_irot_imir_non_essential.avif': 7,
}

const files = listCorpus()
const isExactly = (status: number) => (file: CorpusFile) => file.expected.length === 1 && file.expected[0] === status

function manifestSize({ path, width, height }: CorpusFile) {
  return path === ENLARGED.path ? { width: ENLARGED.width, height: ENLARGED.height } : { width, height }
}

function expectedOrientation({ path, format, orientation }: CorpusFile): number {
  if (path === TURNED_BY_XMP) return 1
  return format === 'avif' ? (AVIF_ORIENTATIONS[path] ?? AVIF_ORIENTATIONS[orientation] ?? 0) : Number(orientation)
}

describe.skipIf(files.length === 0)('the corpus (needs the corpus)', () => {
  test('every file that is accepted has the facts of the manifest', () => {
    const accepted = files.filter(isExactly(200))
    const facts = accepted.map((file) => {
      const read = probe(file.read())
      const shown = read && uprightSize(read)
      return {
        path: file.path,
        format: read?.format,
        ...read?.size,
        shown,
        orientation: read?.orientation,
        animated: read?.animated,
      }
    })
    expect(facts).toEqual(
      accepted.map((file) => ({
        path: file.path,
        format: file.format,
        ...manifestSize(file),
        shown: file.path === ENLARGED.path ? manifestSize(file) : { width: file.shownWidth, height: file.shownHeight },
        orientation: expectedOrientation(file),
        animated: file.animated,
      })),
    )
  })

  test('every file of no known format has no facts', () => {
    const foreign = files.filter(isExactly(414))
    expect(foreign.filter((file) => probe(file.read()) !== undefined).map(({ path }) => path)).toEqual([])
  })

  test('every other file is read or refused, nothing else', () => {
    for (const file of files.filter((file) => !isExactly(200)(file) && !isExactly(414)(file))) {
      try {
        expect(probe(file.read()) !== undefined || file.expected.includes(414), file.path).toBe(true)
      } catch (error) {
        expect(error, file.path).toBeInstanceOf(ImageRefusal)
      }
    }
  })
})
