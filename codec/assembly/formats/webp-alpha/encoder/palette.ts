// Planes of few different samples: a table of these and indices to it, several in a byte (WebP Lossless Bitstream
// Specification, 4.4).

/** The largest table whose indices are bundled. */
export const MAX_COLOURS: i32 = 16

/** u8[256]: whether a sample occurs, later its index. */
const INDICES: usize = memory.data(256)
const TABLE: usize = memory.data(MAX_COLOURS)

/** The address of the table (u8) that `findColours` made. */
export function colourTable(): usize {
  return TABLE
}

/** Makes the ascending colour table of `samples` samples. Returns its length, or `MAX_COLOURS` + 1 if there are too many. */
export function findColours(plane: usize, samples: i32): i32 {
  memory.fill(INDICES, 0, 256)
  let colours = 0
  let before = -1
  for (const end = plane + samples; plane < end; plane++) {
    const sample = <i32>load<u8>(plane)
    if (sample == before) continue
    before = sample
    if (load<u8>(INDICES + sample) != 0) continue
    if (colours == MAX_COLOURS) return colours + 1
    store<u8>(INDICES + sample, 1)
    colours++
  }
  let index = 0
  for (let sample = 0; sample < 256; sample++) {
    if (load<u8>(INDICES + sample) == 0) continue
    store<u8>(INDICES + sample, <u8>index)
    store<u8>(TABLE + index++, <u8>sample)
  }
  return colours
}

/** Bits of a bundled index to a table of `colours`. */
function indexBits(colours: i32): i32 {
  return colours <= 2 ? 1 : colours <= 4 ? 2 : 4
}

/** Replaces the samples of each row by bundles, in place. Returns the bundles of a row. */
export function bundle(plane: usize, columns: i32, rows: i32, colours: i32): i32 {
  const bits = indexBits(colours)
  const bundled = 8 / bits
  let to = plane
  for (let y = 0; y < rows; y++) {
    const row = plane + <usize>(y * columns)
    for (let x = 0; x < columns; x += bundled) {
      let indices: u32 = 0
      const count = min(bundled, columns - x)
      for (let i = 0; i < count; i++) indices |= (<u32>load<u8>(INDICES + load<u8>(row + x + i))) << (i * bits)
      store<u8>(to++, <u8>indices)
    }
  }
  return (columns + bundled - 1) / bundled
}
