/** A GIF of one image, made to measure. */
export interface Wanted {
  readonly screen: readonly [width: number, height: number]
  /** Left, top, width and height of the image. */
  readonly image: readonly [left: number, top: number, width: number, height: number]
  readonly indices: readonly number[]
  /** RGB, three bytes a colour, 2 to 256 of them, a power of two. */
  readonly globalColours?: Buffer | undefined
  readonly localColours?: Buffer
  readonly transparent?: number
  readonly interlaced?: boolean
  readonly coding?: Coding
}

/** The coding of the indices; by default as in GIF89a. */
export interface Coding {
  readonly minimumBits?: number
  readonly withoutFirstClear?: boolean
  readonly withoutEnd?: boolean
  /** A clear code after this many codes; otherwise when the table is full. */
  readonly clearAfter?: number
  /** The table stays as it is when it is full. */
  readonly neverCleared?: boolean
  /** Bytes of a data sub-block, 255 at most. */
  readonly blockBytes?: number
}

/** The file. */
export function makeGif(wanted: Wanted): Buffer {
  const { screen, image, globalColours, localColours, transparent, interlaced = false, coding = {} } = wanted
  const minimumBits = coding.minimumBits ?? 8
  const indices = interlaced ? interlace(wanted) : wanted.indices
  return Buffer.concat([
    Buffer.from('GIF89a', 'latin1'),
    words(...screen),
    Buffer.from([tableFlags(globalColours), 0, 0]),
    globalColours ?? Buffer.alloc(0),
    Buffer.from('\x21\xfe\x05hello\x00', 'latin1'),
    transparent === undefined ? Buffer.alloc(0) : Buffer.from([0x21, 0xf9, 4, 1, 0, 0, transparent, 0]),
    Buffer.from([0x2c]),
    words(...image),
    Buffer.from([tableFlags(localColours) | (interlaced ? 0x40 : 0)]),
    localColours ?? Buffer.alloc(0),
    Buffer.from([minimumBits]),
    subBlocks(compressed(indices, minimumBits, coding), coding.blockBytes ?? 255),
    Buffer.from([0x3b]),
  ])
}

function words(...values: readonly number[]): Buffer {
  return Buffer.from(values.flatMap((value) => [value & 255, value >> 8]))
}

function tableFlags(colours: Buffer | undefined): number {
  return colours ? 0x80 | (Math.log2(colours.length / 3) - 1) : 0
}

/** The rows in the order of GIF89a appendix E. */
function interlace({ image: [, , width, height], indices }: Wanted): number[] {
  const rows = [
    [0, 8],
    [4, 8],
    [2, 4],
    [1, 2],
  ].flatMap(([start = 0, step = 1]) =>
    Array.from({ length: Math.max(0, Math.ceil((height - start) / step)) }, (_, i) => start + i * step),
  )
  return rows.flatMap((y) => indices.slice(y * width, (y + 1) * width))
}

function subBlocks(bytes: Buffer, size: number): Buffer {
  const blocks: Buffer[] = []
  for (let at = 0; at < bytes.length; at += size) {
    const block = bytes.subarray(at, at + size)
    blocks.push(Buffer.from([block.length]), block)
  }
  return Buffer.concat([...blocks, Buffer.from([0])])
}

/** The LZW of GIF89a appendix F. */
function compressed(indices: readonly number[], minimumBits: number, coding: Coding): Buffer {
  const clear = 2 ** minimumBits
  const bytes: number[] = []
  let held = 0
  let heldBits = 0
  let bits = minimumBits + 1
  let table = new Map<string, number>()
  let free = clear + 2
  let codes = 0
  const write = (code: number): void => {
    held += code * 2 ** heldBits
    for (heldBits += bits; heldBits >= 8; heldBits -= 8) {
      bytes.push(held % 256)
      held = Math.floor(held / 256)
    }
  }
  const restart = (): void => {
    write(clear)
    table = new Map()
    free = clear + 2
    bits = minimumBits + 1
    codes = 0
  }
  if (!coding.withoutFirstClear) restart()
  let string = ''
  const codeOf = (text: string): number => table.get(text) ?? Number(text)
  for (const index of indices) {
    const longer = string === '' ? String(index) : `${string},${index}`
    if (string === '' || table.has(longer)) {
      string = longer
      continue
    }
    write(codeOf(string))
    codes++
    if (free < 4096) {
      table.set(longer, free++)
      // The decoder defines a code one step later, so it needs the next bit only after one more.
      if (free > 2 ** bits && bits < 12) bits++
    }
    string = String(index)
    if (codes === coding.clearAfter || (free === 4096 && !coding.neverCleared)) restart()
  }
  if (string !== '') {
    write(codeOf(string))
    if (free === 2 ** bits && bits < 12) bits++
  }
  if (!coding.withoutEnd) write(clear + 1)
  if (heldBits > 0) bytes.push(held)
  return Buffer.from(bytes)
}
