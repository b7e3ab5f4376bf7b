// The header of a lossless image: WebP Lossless Bitstream Specification, chapter 3.
import { Status } from '../../../status'

const SIGNATURE: u8 = 0x2f

/** Bytes of the header. */
export const HEADER_BYTES: usize = 5

/** The header of the stream. */
@unmanaged
class Header {
  /** Image size in pixels. */
  width: i32
  height: i32
  /** Some pixels may be not opaque. Where this is false the alphas in the stream mean nothing. */
  hasAlpha: bool
}

export const header: Header = changetype<Header>(memory.data(offsetof<Header>(), 4))

/** Reads the header of the `bytes` bytes at `data`, the payload of a "VP8L" chunk. */
export function readVp8lHeader(data: usize, bytes: usize): Status {
  if (bytes < HEADER_BYTES || load<u8>(data) != SIGNATURE) return Status.Malformed
  const bits = load<u32>(data, 1)
  header.width = <i32>(bits & 0x3fff) + 1
  header.height = <i32>((bits >> 14) & 0x3fff) + 1
  header.hasAlpha = ((bits >> 28) & 1) == 1
  const version = bits >> 29
  return version == 0 ? Status.Ok : Status.Malformed
}
