// The ALPH chunk of a WebP file (WebP container specification, "Alpha"): a plane of alphas, coded without loss.
import { encodeGreenImage, streamBytes, streamStart } from '../../webp-lossless/encoder/encoder'
import { Filter, filterPlane } from './filter'
import { chooseFilter } from './filter-choice'
import { bundle, colourTable, findColours, MAX_COLOURS } from './palette'

const RAW: i32 = 0
const LOSSLESS: i32 = 1
/** In fewer samples, a table does not pay. */
const MIN_FOR_TABLE: i32 = 256

/** The payload that was encoded last. */
@unmanaged
class AlphPayload {
  start: usize
  bytes: usize
}

const alph: AlphPayload = changetype<AlphPayload>(memory.data(offsetof<AlphPayload>(), 4))

/** Address of the chunk's payload that `encodeAlph` made last. */
export function alphStart(): usize {
  return alph.start
}

/** Length of the output in bytes. */
export function alphBytes(): usize {
  return alph.bytes
}

/**
 * Makes the chunk of the `width` x `height` alphas at `plane`, rows without gaps, readable for 16 bytes more. The plane
 * is used up.
 */
export function encodeAlph(plane: usize, width: i32, height: i32): void {
  const samples = width * height
  const colours = findColours(plane, samples)
  let filter = Filter.None
  if (colours > 1 && colours <= MAX_COLOURS && samples >= MIN_FOR_TABLE) {
    const columns = bundle(plane, width, height, colours)
    encodeGreenImage(plane, columns, height, colourTable(), colours, 1)
  } else {
    if (colours > 1) filter = chooseFilter(plane, width, height)
    filterPlane(filter, plane, width, height)
    encodeGreenImage(plane, width, height, 0, 0, 1)
  }
  alph.start = streamStart() - 1
  alph.bytes = streamBytes() + 1
  let method = LOSSLESS
  if (streamBytes() > <usize>samples) {
    method = RAW
    memory.copy(alph.start + 1, plane, samples)
    alph.bytes = samples + 1
  }
  store<u8>(alph.start, <u8>(method | (filter << 2)))
}
