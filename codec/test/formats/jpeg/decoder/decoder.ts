import { Status } from '../../../../assembly/status.ts'
import { type Arena, newInstance } from '../../../instance.ts'

/** The exports that the decoder is used with. */
export interface Codec extends Arena {
  openJpeg(file: number, bytes: number): number
  jpegWidth(): number
  jpegHeight(): number
  decodeJpeg(oversampling: number, limit: number): number
  toImage(width: number, height: number, orientation: number): void
  image(): number
  toPlanes(width: number, height: number, orientation: number): number
  macroblockRowsTaken(): number
}

/** Bytes that the arena may grow to by the coefficients of an image in several scans. */
export const LIMIT = 60e6

/** A new instance of the module. */
export function newCodec(): Codec {
  return newInstance()
}

/** A decoded image: RGBA, or Y, U and V planes padded to whole macroblocks. */
export interface Decoded {
  width: number
  height: number
  bytes: Uint8Array
}

/** A size that fits into a square box without being enlarged. */
export function fitting(width: number, height: number, box: number): [number, number] {
  const scale = Math.min(1, box / width, box / height)
  return [Math.max(1, Math.floor(width * scale + 1e-9)), Math.max(1, Math.floor(height * scale + 1e-9))]
}

/** Puts a file into the codec and opens it. Returns the status. */
export function open(codec: Codec, file: Uint8Array): number {
  codec.reset()
  const at = codec.allocate(file.length + 16)
  new Uint8Array(codec.memory.buffer).set(file, at)
  return codec.openJpeg(at, file.length)
}

/** The size of the output, or a box to fit into. */
export interface Wish {
  size?: [number, number]
  box?: number
  orientation?: number
  oversampling?: number
}

/** Decodes to RGBA, or returns the status that refuses the file. */
export function decode(codec: Codec, file: Uint8Array, wish: Wish = {}): Decoded | number {
  const { width, height, status } = begin(codec, file, wish)
  if (status !== Status.Ok) return status
  codec.toImage(width, height, wish.orientation ?? 1)
  const decoded = codec.decodeJpeg(wish.oversampling ?? 2, LIMIT)
  if (decoded !== Status.Ok) return decoded
  const bytes = new Uint8Array(codec.memory.buffer, codec.image(), width * height * 4).slice()
  return { width, height, bytes }
}

/** Decodes to the planes that an encoder receives, or returns the status that refuses the file. */
export function decodePlanes(codec: Codec, file: Uint8Array, wish: Wish = {}): Decoded | number {
  const { width, height, status } = begin(codec, file, wish)
  if (status !== Status.Ok) return status
  const planes = codec.toPlanes(width, height, wish.orientation ?? 1)
  const decoded = codec.decodeJpeg(wish.oversampling ?? 1, LIMIT)
  if (decoded !== Status.Ok) return decoded
  const luma = padded(width) * padded(height)
  return { width, height, bytes: new Uint8Array(codec.memory.buffer, planes, luma * 1.5).slice() }
}

/** The decoded image of a file that must be accepted. */
export function accepted(decoded: Decoded | number): Decoded {
  if (typeof decoded === 'number') throw new Error(`refused with status ${decoded}`)
  return decoded
}

/** Rounded up to whole macroblocks. */
export function padded(samples: number): number {
  return (samples + 15) & ~15
}

function begin(codec: Codec, file: Uint8Array, { size, box = 200, orientation = 1 }: Wish) {
  const status = open(codec, file)
  if (status !== Status.Ok) return { width: 0, height: 0, status }
  const coded: [number, number] = [codec.jpegWidth(), codec.jpegHeight()]
  const upright: [number, number] = orientation >= 5 ? [coded[1], coded[0]] : coded
  const [width, height] = size ?? fitting(...upright, box)
  return { width, height, status }
}
