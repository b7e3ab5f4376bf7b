import { describe, expect, test } from 'vitest'
import { below, pick, seededRandom } from '../../../../../test/support/random.ts'
import { Status } from '../../../../assembly/status.ts'
import { type Arena, put } from '../../../instance.ts'
import { newAv1Instance } from './decoder.ts'

/** A number that the module exports as a global. */
interface ExportedNumber {
  readonly value: number
}

interface InterExports extends Arena {
  startSequence(from: number, bytes: number): Status
  putFrame(i: number, width: number, height: number, hint: number): number
  readInterHeader(from: number, bytes: number, hint: number, width: number, height: number): number
  slotOf(refFrame: number): number
  readonly skipModePresent: () => number
  readonly skipModeFrame0: () => number
  readonly skipModeFrame1: () => number
  relativeDistance(a: number, b: number): number
  setRounding(isCompound: boolean): void
  readonly interRound0: () => number
  readonly interRound1: () => number
  readonly interPostRound: () => number
  predRow(refList: number, y: number): number
  predictLuma(
    ...block: [x: number, y: number, w: number, h: number, row: number, col: number, down: number, across: number]
  ): void
  setupShear(params: number): number
  warpLuma(params: number, x: number, y: number, w: number, h: number): void
  setMasks(wedgeIndex: number, wedgeSign: number, maskType: number, interintraMode: number): void
  makeWedgeMask(w: number, h: number): void
  makeDifferenceMask(w: number, h: number): void
  makeIntraMask(w: number, h: number): void
  maskAt(y: number, x: number): number
  readonly iiWeights: ExportedNumber
  readonly subpelFilters: ExportedNumber
  readonly wedgeCodebook: ExportedNumber
  readonly wedgeMasters: ExportedNumber
}

type Field = readonly [value: number, bits: number]

const av1 = newAv1Instance<InterExports>()
const HINT_BITS = 5
const [LAST, GOLDEN, BWDREF, ALTREF2, ALTREF] = [1, 4, 5, 6, 7]

/** Bytes of fields, the highest bit of each first. */
function bitsOf(fields: readonly Field[]): Uint8Array {
  const bits = fields.flatMap(([value, count]) =>
    Array.from({ length: count }, (_, i) => (value >> (count - 1 - i)) & 1),
  )
  return Uint8Array.from({ length: (bits.length >> 3) + 1 }, (_, i) =>
    Array.from({ length: 8 }, (_, bit) => bits[8 * i + bit] ?? 0).reduce((byte, bit) => 2 * byte + bit, 0),
  )
}

/** Starts a sequence of 8 bits (10 where `isDeep`) and 4:2:0, with order hints of `HINT_BITS` (5.5). */
function startSequence(isDeep = false): void {
  av1.reset()
  const upToSize: Field[] = [
    [0, 3],
    [0, 2],
    [0, 1],
    [0, 1],
    [0, 5],
    [0, 12],
    [0, 5],
  ]
  const size: Field[] = [
    [15, 4],
    [15, 4],
    [999, 16],
    [999, 16],
    [0, 1],
  ]
  const tools: Field[] = [
    [0, 3],
    [0, 4],
    [1, 1],
    [0, 2],
    [1, 1],
    [1, 1],
    [HINT_BITS - 1, 3],
    [0, 3],
  ]
  const colour: Field[] = [
    [isDeep ? 1 : 0, 1],
    [0, 1],
    [0, 1],
    [0, 1],
    [0, 2],
    [0, 1],
    [0, 1],
  ]
  const header = bitsOf([...upToSize, ...size, ...tools, ...colour])
  expect(av1.startSequence(put(av1, header), header.length)).toBe(Status.Ok)
}

/** Reads the header of a frame predicted from those in the slots: from those named, or short (5.9.2). */
function readHeader(hint: number, [width, height]: readonly [number, number], refs: readonly number[]): boolean {
  const named: Field[] =
    refs.length === 2
      ? [
          [1, 1],
          [refs[0] ?? 0, 3],
          [refs[1] ?? 0, 3],
        ]
      : [[0, 1], ...refs.map((ref): Field => [ref, 3])]
  const header = bitsOf([[7, 3], ...named, [1, 1], [0, 1], [1, 1], [1, 1]])
  return av1.readInterHeader(put(av1, header), header.length, hint, width, height) !== 0
}

const bytesAt = (at: number, count: number) => new Uint8Array(av1.memory.buffer, at, count)
const clip3 = (low: number, high: number, value: number) => Math.max(low, Math.min(high, value))
const round2 = (value: number, bits: number) => (bits === 0 ? value : (value + (1 << (bits - 1))) >> bits)

/** get_relative_dist( ) as 5.9.3 words it. */
function relativeDistance(a: number, b: number): number {
  const m = 1 << (HINT_BITS - 1)
  const diff = a - b
  return (diff & (m - 1)) - (diff & m)
}

/** Rows of what was predicted. */
function predicted(w: number, h: number): number[][] {
  return Array.from({ length: h }, (_, y) => [...new Int32Array(av1.memory.buffer, av1.predRow(0, y), w)])
}

test('order hints are apart as many frames as modulo their bits (5.9.3)', () => {
  startSequence()
  for (let a = 0; a < 32; a++) {
    for (let b = 0; b < 32; b++) expect(av1.relativeDistance(a, b), `${a}, ${b}`).toBe(relativeDistance(a, b))
  }
})

describe('frames that are predicted from', () => {
  /** The set frame refs process of 7.8: the slots of LAST_FRAME to ALTREF_FRAME. */
  function setFrameRefs(hints: readonly number[], hint: number, last: number, gold: number): number[] {
    const shifted = hints.map((saved) => relativeDistance(saved, hint))
    const found = new Map([
      [LAST, last],
      [GOLDEN, gold],
    ])
    const used = new Set([last, gold])
    const find = (fits: (hint: number) => boolean, isBetter: (hint: number, than: number) => boolean) => {
      let ref = -1
      shifted.forEach((at, i) => {
        if (!used.has(i) && fits(at) && (ref < 0 || isBetter(at, shifted[ref] ?? 0))) ref = i
      })
      return ref
    }
    const give = (frame: number, ref: number) => {
      if (ref < 0) return
      found.set(frame, ref)
      used.add(ref)
    }
    give(
      ALTREF,
      find(
        (at) => at >= 0,
        (at, than) => at >= than,
      ),
    )
    for (const frame of [BWDREF, ALTREF2])
      give(
        frame,
        find(
          (at) => at >= 0,
          (at, than) => at < than,
        ),
      )
    for (const frame of [2, 3, BWDREF, ALTREF2, ALTREF]) {
      if (!found.has(frame))
        give(
          frame,
          find(
            (at) => at < 0,
            (at, than) => at >= than,
          ),
        )
    }
    const earliest = shifted.indexOf(Math.min(...shifted))
    return [1, 2, 3, 4, 5, 6, 7].map((frame) => found.get(frame) ?? earliest)
  }

  test('are found by their order hints where the header names LAST_FRAME and GOLDEN_FRAME alone (7.8)', () => {
    const random = seededRandom(78)
    for (let round = 0; round < 150; round++) {
      startSequence()
      const [hint, reach] = [below(32, random), 1 + below(15, random)]
      const hints = Array.from({ length: 8 }, () => (hint + below(2 * reach, random) - reach) & 31)
      for (const [i, saved] of hints.entries()) av1.putFrame(i, 16, 16, saved)
      const [last, gold] = [below(8, random), below(8, random)]
      expect(readHeader(hint, [16, 16], [last, gold])).toBe(true)
      const slots = [1, 2, 3, 4, 5, 6, 7].map((frame) => av1.slotOf(frame))
      expect(slots, `round ${round}: ${hints} of ${hint}, ${last}, ${gold}`).toEqual(
        setFrameRefs(hints, hint, last, gold),
      )
    }
  })

  /** SkipModeFrame of 5.9.22; nothing where skipModeAllowed is 0. */
  function skipModeFrames(hints: readonly number[], hint: number): number[] | undefined {
    let [forward, backward] = [-1, -1]
    hints.forEach((ref, i) => {
      const distance = relativeDistance(ref, hint)
      if (distance < 0 && (forward < 0 || relativeDistance(ref, hints[forward] ?? 0) > 0)) forward = i
      if (distance > 0 && (backward < 0 || relativeDistance(ref, hints[backward] ?? 0) < 0)) backward = i
    })
    if (forward < 0) return undefined
    if (backward >= 0) return [LAST + Math.min(forward, backward), LAST + Math.max(forward, backward)]
    let second = -1
    hints.forEach((ref, i) => {
      if (relativeDistance(ref, hints[forward] ?? 0) >= 0) return
      if (second < 0 || relativeDistance(ref, hints[second] ?? 0) > 0) second = i
    })
    return second < 0 ? undefined : [LAST + Math.min(forward, second), LAST + Math.max(forward, second)]
  }

  test('in skip mode are the nearest of both sides, or the two nearest before (5.9.22)', () => {
    const random = seededRandom(59)
    for (let round = 0; round < 150; round++) {
      startSequence()
      const [hint, reach] = [below(32, random), 1 + below(7, random)]
      const isBackward = random() < 0.4
      const hints = Array.from({ length: 8 }, () => (hint + below(isBackward ? reach : 2 * reach, random) - reach) & 31)
      for (const [i, saved] of hints.entries()) av1.putFrame(i, 16, 16, saved)
      const refs = Array.from({ length: 7 }, () => below(8, random))
      expect(readHeader(hint, [16, 16], refs)).toBe(true)
      const expected = skipModeFrames(
        refs.map((ref) => hints[ref] ?? 0),
        hint,
      )
      expect(av1.skipModePresent() !== 0, `round ${round}`).toBe(expected !== undefined)
      if (expected) expect([av1.skipModeFrame0(), av1.skipModeFrame1()], `round ${round}`).toEqual(expected)
    }
  })

  test.each([
    [[32, 32], [64, 64], true],
    [[32, 32], [65, 64], false],
    [[32, 32], [64, 65], false],
    [[160, 160], [10, 10], true],
    [[161, 160], [10, 10], false],
  ] as const)(
    'of %j are refused where theirs is more than twice, or less than a 16th: %j (7.11.3.3)',
    (size, other, isRight) => {
      startSequence()
      const [width, height] = other
      for (let i = 0; i < 8; i++) av1.putFrame(i, width, height, 0)
      expect(readHeader(1, size, [0, 0, 0, 0, 0, 0, 0])).toBe(isRight)
    },
  )
})

test.each([
  [false, false, [3, 11, 0]],
  [false, true, [3, 7, 4]],
  [true, false, [3, 11, 0]],
  [true, true, [3, 7, 4]],
])(
  'rounding in 10 bits (%s), of compounds (%s), leaves as many bits as both filters have added (7.11.3.2)',
  (isDeep, isCompound, expected) => {
    startSequence(isDeep)
    av1.setRounding(isCompound)
    expect([av1.interRound0(), av1.interRound1(), av1.interPostRound()]).toEqual(expected)
  },
)

describe('a block is predicted', () => {
  const random = seededRandom(71134)
  const filters = (index: number, position: number) =>
    [...new Int8Array(av1.memory.buffer, av1.subpelFilters.value + index * 128 + position * 8, 8)].map((tap) => 2 * tap)

  test('by filters whose taps have the sum 128, each the other way round at the mirrored position (7.11.3.4)', () => {
    for (let index = 0; index < 6; index++) {
      for (let position = 0; position < 16; position++) {
        const taps = filters(index, position)
        expect(taps.reduce((sum, tap) => sum + tap, 0)).toBe(128)
        if (position > 0) expect(filters(index, 16 - position).toReversed()).toEqual(taps)
      }
    }
  })

  /** 7.11.3.3 and 7.11.3.4 for luma of 8 bits. */
  function blockOf(
    frame: { width: number; height: number; samples: Uint8Array },
    [width, height]: readonly [number, number],
    [x, y, w, h, row, col, down, across]: Parameters<InterExports['predictLuma']>,
  ): number[][] {
    const start = (at: number, motion: number, scale: number) => {
      const base = ((at << 4) + 2 * motion + 8) * scale - (8 << 14)
      return Math.sign(base) * Math.floor((Math.abs(base) + 128) / 256) + 32
    }
    const xScale = Math.floor((frame.width * 2 ** 14 + (width >> 1)) / width)
    const yScale = Math.floor((frame.height * 2 ** 14 + (height >> 1)) / height)
    const [startX, startY] = [start(x, col, xScale), start(y, row, yScale)]
    const [stepX, stepY] = [round2(xScale, 4), round2(yScale, 4)]
    const chosen = (filter: number, side: number) => (side > 4 || filter === 3 ? filter : filter === 1 ? 5 : 4)
    const sample = (line: number, column: number) =>
      frame.samples[clip3(0, frame.height - 1, line) * frame.width + clip3(0, frame.width - 1, column)] ?? Number.NaN
    const rows = (((h - 1) * stepY + 1023) >> 10) + 8
    const filtered = Array.from({ length: rows }, (_, r) =>
      Array.from({ length: w }, (_, c) => {
        const p = startX + stepX * c
        const taps = filters(chosen(across, w), (p >> 6) & 15)
        return round2(
          taps.reduce((sum, tap, t) => sum + tap * sample((startY >> 10) + r - 3, (p >> 10) + t - 3), 0),
          3,
        )
      }),
    )
    return Array.from({ length: h }, (_, r) =>
      Array.from({ length: w }, (_, c) => {
        const p = (startY & 1023) + stepY * r
        const taps = filters(chosen(down, h), (p >> 6) & 15)
        return round2(
          taps.reduce((sum, tap, t) => sum + tap * (filtered[(p >> 10) + t]?.[c] ?? Number.NaN), 0),
          11,
        )
      }),
    )
  }

  test.each([
    ['of the same size', [40, 36], [40, 36]],
    ['of twice the size', [20, 18], [40, 36]],
    ['of less than half', [100, 90], [40, 36]],
    ['wider and lower', [31, 50], [40, 36]],
  ] as const)(
    'from a frame %s, whatever its vector and filters, also beyond the edges (7.11.3.3, 7.11.3.4)',
    (_, size, [width, height]) => {
      startSequence()
      const at = av1.putFrame(0, width, height, 0)
      bytesAt(at, width * height).set(Array.from({ length: width * height }, () => below(256, random)))
      for (let i = 1; i < 8; i++) av1.putFrame(i, width, height, 0)
      expect(readHeader(1, size, [0, 0, 0, 0, 0, 0, 0])).toBe(true)
      const frame = { width, height, samples: bytesAt(at, width * height) }
      av1.setRounding(false)
      for (let round = 0; round < 25; round++) {
        const side = () => pick([2, 4, 8, 16], random)
        const mv = () => pick([0, 8 * (below(9, random) - 4), below(800, random) - 400], random)
        const block = [
          4 * below(8, random),
          4 * below(8, random),
          side(),
          side(),
          mv(),
          mv(),
          below(4, random),
          below(4, random),
        ] as const
        av1.predictLuma(...block)
        expect(predicted(block[2], block[3]), `round ${round}: ${block}`).toEqual(blockOf(frame, size, [...block]))
      }
    },
  )

  test('by a warp that moves nothing, or moves by whole samples, as what is there and 1 of 128 of the next (7.11.3.5)', () => {
    startSequence()
    const at = av1.putFrame(0, 48, 48, 0)
    bytesAt(at, 48 * 48).set(Array.from({ length: 48 * 48 }, () => below(256, random)))
    for (let i = 1; i < 8; i++) av1.putFrame(i, 48, 48, 0)
    expect(readHeader(1, [48, 48], [0, 0, 0, 0, 0, 0, 0])).toBe(true)
    av1.setRounding(false)
    const samples = bytesAt(at, 48 * 48).slice()
    const sample = (x: number, y: number) => samples[clip3(0, 47, y) * 48 + clip3(0, 47, x)] ?? Number.NaN
    // Warped_Filters has 127 and 1 in its middle.
    const across = (x: number, y: number) => round2(127 * sample(x, y) + sample(x + 1, y), 3)
    const both = (x: number, y: number) => round2(127 * across(x, y) + across(x, y + 1), 11)
    for (const [right, down] of [
      [0, 0],
      [3, 0],
      [0, -5],
      [-20, 30],
    ] as const) {
      const params = put(av1, new Uint8Array(Int32Array.of(right << 16, down << 16, 1 << 16, 0, 0, 1 << 16).buffer))
      expect(av1.setupShear(params)).toBe(1)
      av1.warpLuma(params, 16, 8, 16, 8)
      const expected = Array.from({ length: 8 }, (_, y) =>
        Array.from({ length: 16 }, (_, x) => both(16 + x + right, 8 + y + down)),
      )
      expect(predicted(16, 8), `${right}, ${down}`).toEqual(expected)
    }
  })

  test.each([
    ['that shears along rows by less than a seventh', [0, 0, 65_536, 9280, 0, 65_536], 1],
    ['that shears along rows by a seventh', [0, 0, 65_536, 9408, 0, 65_536], 0],
    ['that stretches rows by less than a quarter', [0, 0, 65_536 + 16_320, 0, 0, 65_536], 1],
    ['that stretches rows by a quarter', [0, 0, 65_536 + 16_384, 0, 0, 65_536], 0],
    ['that shears along columns by a quarter', [0, 0, 65_536, 0, 16_384, 65_536], 0],
    ['that stretches columns by a quarter', [0, 0, 65_536, 0, 0, 65_536 - 16_384], 0],
  ])('not by a warp beyond what its filters reach: one %s (7.11.3.6)', (_, params, isValid) => {
    startSequence()
    expect(av1.setupShear(put(av1, new Uint8Array(Int32Array.from(params).buffer)))).toBe(isValid)
  })
})

describe('two predictions are blended by masks', () => {
  const mask = (w: number, h: number) => Array.from({ length: h }, (_, y) => [...bytesAt(av1.maskAt(y, 0), w)])

  /** MasterMask as initialise_wedge_mask_table( ) fills it. */
  function masterMasks(): number[][][] {
    const [vertical, even, odd] = [0, 64, 128].map((from) => [...bytesAt(av1.wedgeMasters.value + from, 64)])
    const masks = Array.from({ length: 6 }, () => Array.from({ length: 64 }, (): number[] => Array(64).fill(0)))
    const set = (direction: number, i: number, j: number, value: number) => {
      const row = masks[direction]?.[i]
      if (row) row[j] = value
    }
    for (let j = 0; j < 64; j++) {
      let shift = 16
      for (let i = 0; i < 64; i += 2) {
        set(3, i, j, even?.[clip3(0, 63, j - shift)] ?? 0)
        shift--
        set(3, i + 1, j, odd?.[clip3(0, 63, j - shift)] ?? 0)
        set(1, i, j, vertical?.[j] ?? 0)
        set(1, i + 1, j, vertical?.[j] ?? 0)
      }
    }
    for (let i = 0; i < 64; i++) {
      for (let j = 0; j < 64; j++) {
        const value = masks[3]?.[i]?.[j] ?? 0
        set(2, j, i, value)
        set(4, i, 63 - j, 64 - value)
        set(5, 63 - j, i, 64 - value)
        set(0, j, i, masks[1]?.[i]?.[j] ?? 0)
      }
    }
    return masks
  }

  test.each([
    [8, 8],
    [8, 16],
    [16, 8],
    [16, 16],
    [16, 32],
    [32, 16],
    [32, 32],
    [8, 32],
    [32, 8],
  ])('of wedges, %i x %i: each of 16, either side out (7.11.3.11)', (w, h) => {
    startSequence()
    const masters = masterMasks()
    const shape = h > w ? 0 : h < w ? 1 : 2
    for (let wedge = 0; wedge < 16; wedge++) {
      const [direction = 0, right = 0, down = 0] = bytesAt(av1.wedgeCodebook.value + 3 * (16 * shape + wedge), 3)
      const [xoff, yoff] = [32 - ((right * w) >> 3), 32 - ((down * h) >> 3)]
      const at = (i: number, j: number) => masters[direction]?.[yoff + i]?.[xoff + j] ?? Number.NaN
      let sum = 0
      for (let j = 0; j < w; j++) sum += at(0, j)
      for (let i = 1; i < h; i++) sum += at(i, 0)
      const flip = Math.floor((sum + ((w + h - 1) >> 1)) / (w + h - 1)) < 32 ? 1 : 0
      for (const sign of [0, 1]) {
        av1.setMasks(wedge, sign, 0, 0)
        av1.makeWedgeMask(w, h)
        const expected = Array.from({ length: h }, (_, i) =>
          Array.from({ length: w }, (_, j) => (sign === flip ? at(i, j) : 64 - at(i, j))),
        )
        expect(mask(w, h), `wedge ${wedge}, sign ${sign}`).toEqual(expected)
      }
    }
  })

  test.each([0, 1])('of how far they differ, from 38 of 64 on, mask_type %i (7.11.3.12)', (maskType) => {
    startSequence()
    const random = seededRandom(71112)
    av1.setRounding(true)
    for (let y = 0; y < 8; y++) {
      for (const list of [0, 1]) {
        const row = Array.from({ length: 8 }, () => below(y < 4 ? 600 : 4080, random))
        new Int32Array(av1.memory.buffer, av1.predRow(list, y), 8).set(row)
      }
    }
    av1.setMasks(0, 0, maskType, 0)
    av1.makeDifferenceMask(8, 8)
    const made = mask(8, 8)
    for (let y = 0; y < 8; y++) {
      const [one, two] = [0, 1].map((list) => new Int32Array(av1.memory.buffer, av1.predRow(list, y), 8))
      for (let x = 0; x < 8; x++) {
        const m = clip3(0, 64, 38 + (round2(Math.abs((one?.[x] ?? 0) - (two?.[x] ?? 0)), 4) >> 4))
        expect(made[y]?.[x], `${x}, ${y}`).toBe(maskType === 1 ? 64 - m : m)
      }
    }
  })

  test.each([
    ['II_DC_PRED', 0, () => -1],
    ['II_V_PRED', 1, (i: number) => i],
    ['II_H_PRED', 2, (_: number, j: number) => j],
    ['II_SMOOTH_PRED', 3, (i: number, j: number) => Math.min(i, j)],
  ])('of the distance from the edge, %s (7.11.3.13)', (_, mode, distance) => {
    startSequence()
    av1.setMasks(0, 0, 0, mode)
    for (const [w, h] of [
      [8, 8],
      [16, 32],
      [32, 8],
    ] as const) {
      av1.makeIntraMask(w, h)
      const weights = bytesAt(av1.iiWeights.value, 128)
      const scale = 128 / Math.max(w, h)
      const expected = Array.from({ length: h }, (_, i) =>
        Array.from({ length: w }, (_, j) => (mode === 0 ? 32 : weights[distance(i, j) * scale])),
      )
      expect(mask(w, h)).toEqual(expected)
    }
  })
})
