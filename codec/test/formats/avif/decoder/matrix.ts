import type { MadeImage, Sampling } from './made-image.ts'

/** An image and how aomenc is to code it. */
export interface Row extends MadeImage {
  readonly name: string
  readonly options: string
  /** Whether what aomenc made of it is committed in test/fixtures/av1. */
  readonly isFixture: boolean
}

const FORMATS: readonly (readonly [Sampling, 8 | 10 | 12])[] = (['420', '422', '444', 'mono'] as const).flatMap(
  (sampling) => ([8, 10, 12] as const).map((depth) => [sampling, depth] as const),
)

/** Tools, each at two or three formats. */
const TOOLS = [
  '--sb-size=128',
  '--sb-size=64',
  '--sb-size=128 --tile-columns=1 --tile-rows=1',
  '--sb-size=64 --tile-columns=2 --tile-rows=2',
  '--tile-width=1,2,1 --tile-height=2,1',
  '--num-tile-groups=3 --tile-columns=1 --tile-rows=1',
  '--aq-mode=1',
  '--aq-mode=2 --deltaq-mode=0',
  '--deltaq-mode=3 --delta-lf-mode=1',
  '--full-still-picture-hdr',
  '--enable-cdef=0',
  '--enable-restoration=0',
  '--enable-cdef=0 --enable-restoration=0',
  '--enable-tx64=0',
  // Slower, aomenc 3.6 ends in an assertion.
  '--enable-rect-tx=0 --cpu-used=6',
  '--reduced-tx-type-set=1',
  '--enable-filter-intra=0',
  '--enable-intra-edge-filter=0',
  '--enable-chroma-deltaq=1',
  '--cdf-update-mode=0',
  '--sharpness=5',
  '--loopfilter-control=0',
  '--error-resilient=1',
  '--min-partition-size=64',
  '--max-partition-size=8',
  '--sb-size=64 --enable-restoration=1 --cpu-used=1',
  '--sb-size=128 --enable-restoration=1 --cpu-used=1',
  '--tile-columns=1 --superres-mode=1 --superres-denominator=12 --superres-kf-denominator=12',
]

/** Sides that are no multiple of a block, and less than one. */
const SIZES = [
  [1, 1],
  [2, 2],
  [7, 3],
  [65, 129],
  [17, 9],
  [8, 64],
  [129, 65],
  [3, 200],
  [200, 3],
  [66, 66],
] as const

/** Of the rows of one kind those with these numbers are fixtures. */
function rows(kind: string, made: readonly Omit<Row, 'name' | 'isFixture'>[], ...fixtures: number[]): Row[] {
  return made.map((row, i) => ({
    ...row,
    name: `${kind}-${i}-${row.sampling}-${row.depth}`,
    isFixture: fixtures.includes(i),
  }))
}

const size = (width: number, height: number) => ({ width, height })

function inAllFormats(width: number, height: number, kind: MadeImage['kind'], options: string) {
  return FORMATS.map(([sampling, depth]) => ({ ...size(width, height), sampling, depth, kind, options }))
}

/** Of frames that the last is predicted from: all tools of slow settings, and what else such frames may have. */
const LAYERS = (
  [
    ['420', 8, 'photo', '--cq-level=42 --cpu-used=1 --lag-in-frames=5'],
    ['444', 10, 'photo', '--cq-level=50 --lag-in-frames=0 --resize-mode=1 --resize-denominator=13'],
    ['422', 12, 'photo', '--cq-level=40 --lag-in-frames=5 --cpu-used=1'],
    ['mono', 8, 'photo', '--cq-level=30 --lag-in-frames=5 --cpu-used=0'],
    ['420', 10, 'noise', '--cq-level=55 --lag-in-frames=5 --cpu-used=1 --sb-size=64'],
    ['420', 8, 'photo', '--cq-level=40 --lag-in-frames=5 --film-grain-test=5'],
    ['420', 8, 'photo', '--cq-level=50 --lag-in-frames=0 --aq-mode=2'],
    ['420', 8, 'photo', '--rt --cpu-used=7 --lag-in-frames=0 --aq-mode=3 --end-usage=cbr --target-bitrate=50'],
    ['420', 8, 'photo', '--cq-level=40 --lag-in-frames=0 --superres-mode=1 --superres-denominator=12'],
    ['444', 8, 'photo', '--lag-in-frames=3 --lossless=1'],
    ['420', 8, 'screen', '--cq-level=40 --lag-in-frames=0 --tune-content=screen --cpu-used=2'],
    ['420', 8, 'photo', '--cq-level=40 --lag-in-frames=0 --sframe-dist=2 --sframe-mode=1'],
    ['420', 8, 'photo', '--cq-level=40 --lag-in-frames=0 --enable-order-hint=0 --error-resilient=1'],
    ['420', 8, 'noise', '--cq-level=40 --lag-in-frames=5 --sb-size=64 --tile-columns=1 --tile-rows=1 --enable-qm=1'],
    ['420', 8, 'photo', '--cq-level=40 --lag-in-frames=5 --deltaq-mode=1 --enable-tpl-model=1 --reduced-tx-type-set=1'],
    ['420', 8, 'photo', '--cq-level=40 --lag-in-frames=5 --cdf-update-mode=0'],
  ] as const
).map(([sampling, depth, kind, options], i) => ({
  width: 104 + 2 * i,
  height: 88,
  sampling,
  depth,
  kind,
  options,
  frames: 5,
}))

/** Every tool that a still image can use, at the formats and sizes where it may go wrong. */
export const MATRIX: readonly Row[] = [
  ...rows('photo', inAllFormats(203, 157, 'photo', '--cq-level=34'), 0, 4, 8, 9),
  ...rows('noise', inAllFormats(330, 270, 'noise', '--cq-level=58'), 1),
  ...rows('lossless', inAllFormats(75, 61, 'photo', '--lossless=1'), 0, 7),
  ...rows('palette', inAllFormats(200, 140, 'screen', '--cq-level=20 --tune-content=screen --enable-intrabc=0'), 0, 5),
  ...rows('copied', inAllFormats(330, 260, 'screen', '--cq-level=14 --tune-content=screen --cpu-used=2'), 0, 5),
  ...rows('matrices', inAllFormats(203, 157, 'photo', '--cq-level=36 --enable-qm=1 --qm-min=0 --qm-max=15'), 6, 10),
  ...rows(
    'superres',
    FORMATS.map(([sampling, depth], i) => {
      const denominator = 9 + (i % 8)
      const options = `--cq-level=44 --superres-mode=1 --superres-denominator=${denominator} --superres-kf-denominator=${denominator}`
      return { ...size(277, 141), sampling, depth, kind: 'photo' as const, options }
    }),
    0,
    5,
  ),
  ...rows(
    'grain',
    Array.from({ length: 16 }, (_, i) => {
      const [sampling, depth] = FORMATS[(i * 5) % 12] ?? ['420', 8]
      return {
        ...size(233, 171),
        sampling,
        depth,
        kind: 'photo' as const,
        options: `--cq-level=40 --film-grain-test=${i + 1}`,
      }
    }),
    0,
    1,
  ),
  ...rows(
    'size',
    SIZES.flatMap(([width, height]) =>
      (['420', '422', '444', 'mono'] as const).map((sampling) => {
        return { ...size(width, height), sampling, depth: 8 as const, kind: 'photo' as const, options: '--cq-level=25' }
      }),
    ),
    0,
    8,
    13,
    29,
  ),
  ...rows(
    'tools',
    TOOLS.flatMap((options, i) =>
      (
        [
          ['420', 8],
          ['444', 10],
          ['422', 12],
        ] as const
      ).map(([sampling, depth], j) => {
        const kind = (['noise', 'photo', 'screen'] as const)[(i + j) % 3] ?? 'photo'
        return { ...size(290, 270), sampling, depth, kind, options: `--cq-level=40 ${options}` }
      }),
    ),
    3,
    9,
    12,
    21,
    24,
  ),
  ...rows('layers', LAYERS, 0, 1, 6, 10),
]
