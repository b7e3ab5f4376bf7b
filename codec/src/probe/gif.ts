import { hasText, uint16LE } from '../bytes.ts'
import type { ImageFacts, Size } from '../format.ts'
import { ImageRefusal } from '../refusal.ts'
import { requireSize } from './size.ts'

/** The size is that of the logical screen, enlarged to the first frame. */
export interface GifFacts extends ImageFacts {
  format: 'gif'
  frames: number
}

const EXTENSION = 0x21
const GRAPHIC_CONTROL = 0xf9
const IMAGE = 0x2c

/** Reads a GIF's screen descriptor and counts the image descriptors of its blocks (GIF89a, sections 18 to 23). */
export function probeGif(bytes: Uint8Array): GifFacts | undefined {
  if (!hasText(bytes, 0, 'GIF87a') && !hasText(bytes, 0, 'GIF89a')) return undefined
  let size = requireSize(uint16LE(bytes, 6), uint16LE(bytes, 8))
  let frames = 0
  let alpha = false
  let at = 13 + colourTableBytes(bytes[10] ?? 0)

  // The walk ends at the trailer, a stray byte or the end of the file.
  for (;;) {
    const block = bytes[at]
    if (block === EXTENSION) {
      const hasTransparentColour = bytes[at + 1] === GRAPHIC_CONTROL && ((bytes[at + 3] ?? 0) & 1) === 1
      if (frames === 0 && hasTransparentColour) alpha = true
      at = skipSubBlocks(bytes, at + 2)
    } else if (block === IMAGE && at + 10 < bytes.length) {
      const isFirst = frames === 0
      if (isFirst && !coversCanvas(bytes, at, size)) alpha = true
      if (isFirst) size = enlargedTo(bytes, at, size)
      frames++
      const codeSizeAt = at + 10 + colourTableBytes(bytes[at + 9] ?? 0)
      at = skipSubBlocks(bytes, codeSizeAt + 1)
      // Missing pixels are transparent.
      if (isFirst && at > bytes.length) alpha = true
    } else break
  }

  if (frames === 0) throw new ImageRefusal('unreadable', 'the GIF ends before its first frame begins')
  return { format: 'gif', size, frames, orientation: 1, animated: frames > 1, alpha }
}

/** The size of the colour table that a packed field announces: three bytes for each colour. */
function colourTableBytes(packed: number): number {
  return packed & 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0
}

/** The offset after a row of data sub-blocks and their terminator. */
function skipSubBlocks(bytes: Uint8Array, from: number): number {
  let at = from
  for (let length = bytes[at]; length; length = bytes[at]) at += 1 + length
  return at + 1
}

/** Whether the frame of this descriptor covers the canvas; otherwise the rest is transparent. Refuses a frame over the budget. */
function coversCanvas(bytes: Uint8Array, descriptor: number, canvas: Size): boolean {
  const [left = 0, top = 0] = [uint16LE(bytes, descriptor + 1), uint16LE(bytes, descriptor + 3)]
  const frame = requireSize(uint16LE(bytes, descriptor + 5), uint16LE(bytes, descriptor + 7))
  return left === 0 && top === 0 && frame.width >= canvas.width && frame.height >= canvas.height
}

/** The canvas as browsers enlarge it to a first frame that reaches beyond it. */
function enlargedTo(bytes: Uint8Array, descriptor: number, canvas: Size): Size {
  const end = (at: number) => (uint16LE(bytes, descriptor + at) ?? 0) + (uint16LE(bytes, descriptor + at + 4) ?? 0)
  return requireSize(Math.max(canvas.width, end(1)), Math.max(canvas.height, end(3)))
}
