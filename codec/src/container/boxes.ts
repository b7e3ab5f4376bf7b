import { bytesBE, concat, fourCC, lengthOf, textBytes, uint32BE } from '../bytes.ts'
import { ImageRefusal } from '../refusal.ts'

/** A box of ISO/IEC 14496-12 as offsets into the file. */
export interface Box {
  type: string
  start: number
  body: number
  /** Never past the end of its container. */
  end: number
  /** Whether it ends within its container. */
  whole: boolean
}

/** Far more sibling boxes than any image has. */
const MAX_BOXES = 10_000

/** The sibling boxes between two offsets (14496-12, 4.2), up to the first with an impossible size. */
export function* boxes(bytes: Uint8Array, from: number, to: number): Generator<Box> {
  let count = 0
  for (let start = from; start < to; ) {
    const shortSize = uint32BE(bytes, start)
    const type = fourCC(bytes, start + 4)
    if (shortSize === undefined || type === undefined) return
    if (++count > MAX_BOXES)
      throw new ImageRefusal('over_budget', `an AVIF must have at most ${MAX_BOXES} boxes in a row`)

    // Size 1: an eight-byte size follows the type. Size 0: up to the end.
    const body = start + (shortSize === 1 ? 16 : 8)
    const size =
      shortSize === 1
        ? (uint32BE(bytes, start + 8) ?? 0) * 2 ** 32 + (uint32BE(bytes, start + 12) ?? 0)
        : shortSize === 0
          ? to - start
          : shortSize
    const end = start + size
    if (end < body) return
    yield { type, start, body: Math.min(body, to), end: Math.min(end, to), whole: end <= to }
    start = end
  }
}

/** The first box at a path of types, each inside the previous one. */
export function findBox(bytes: Uint8Array, within: { body: number; end: number }, ...path: string[]): Box | undefined {
  const [type, ...rest] = path
  for (const box of boxes(bytes, within.body, within.end)) {
    if (box.type === type) return rest.length === 0 ? box : findBox(bytes, box, ...rest)
  }
  return undefined
}

/** Reads the fields of a box in order. */
export interface Fields {
  /** An unsigned integer of `size` bytes, high byte first. Throws ImageRefusal past the end of the box. */
  uint(size: number): number
  /** The characters up to a zero byte or the end of the box. */
  text(): string
  /** The offset of the next field in the file. */
  at(): number
}

/** A reader of the fields of a box, from the first one. */
export function readFields(bytes: Uint8Array, { type, body, end }: Box): Fields {
  let at = body
  function uint(size: number): number {
    if (at + size > end) throw new ImageRefusal('unreadable', `the AVIF's ${type} box is cut short`)
    let value = 0
    for (const limit = at + size; at < limit; at++) value = value * 256 + (bytes[at] ?? 0)
    return value
  }
  function text(): string {
    let characters = ''
    for (let code = bytes[at]; at < end && code; code = bytes[at]) {
      characters += String.fromCharCode(code)
      at++
    }
    at++
    return characters
  }
  return { uint, text, at: () => at }
}

/** Writes a box: size, type, content (14496-12, 4.2). */
export function box(type: string, ...content: readonly Uint8Array[]): Uint8Array {
  return concat([boxHeader(type, lengthOf(content)), ...content])
}

/** Returns the header of a box with this content length. */
export function boxHeader(type: string, contentBytes: number): Uint8Array {
  return concat([bytesBE(8 + contentBytes, 4), textBytes(type)])
}

/** Writes the version and flags that the content of every full box begins with. */
export function versionAndFlags(version: number, flags: number): Uint8Array {
  return concat([bytesBE(version, 1), bytesBE(flags, 3)])
}
