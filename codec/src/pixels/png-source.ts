import { Status } from '../../assembly/status.ts'
import { textBytes, uint32BE } from '../bytes.ts'
import { crc32 } from '../checksum.ts'
import { pngColourTransform } from '../colours/png-colours.ts'
import { isIntact, pngChunks } from '../container/png-chunks.ts'
import { ImageRefusal } from '../refusal.ts'
import { put } from './core.ts'
import type { Source } from './source.ts'

/** Start of the CRC of each IDAT chunk. */
const IDAT_CRC = crc32(textBytes('IDAT'))
/** Before the data of each fdAT chunk (11.3.6.3). */
const FRAME_NUMBER_BYTES = 4

/** Where the content of a chunk of pixels lies in the file, and its CRC where it is to be checked while it is decoded. */
interface Part {
  start: number
  end: number
  crc: number | undefined
}

interface Parts {
  header: Uint8Array
  palette: Uint8Array
  transparency: Uint8Array
  data: Part[]
  /** The file ends within its pixels: they are shown as far as they go. */
  isCut: boolean
}

/**
 * A PNG, of an APNG the first frame, or the default image where that one does not fill the canvas (PNG 3rd edition). What an
 * interlaced one must hold may take `canvasMaxBytes`. Throws ImageRefusal.
 */
export function pngSource(bytes: Uint8Array, canvasMaxBytes: number): Source {
  const { header, palette, transparency, data, isCut } = readParts(bytes)
  let part = 0
  let at = 0
  let crc = IDAT_CRC
  return {
    open(core) {
      const table = pngColourTransform(bytes)
      if (table) core.transformColours(put(core, table))
      const [ihdr, plte, trns] = [put(core, header), put(core, palette), put(core, transparency)]
      const sizes = [header.length, palette.length, transparency.length] as const
      const status = core.readPngHeader(ihdr, sizes[0], plte, sizes[1], trns, sizes[2], isCut)
      return status === Status.Ok ? core.openPng(canvasMaxBytes) : status
    },
    give(core) {
      const start = core.inputRoom()
      const room = new Uint8Array(core.memory.buffer, start, core.inputRoomBytes())
      let filled = 0
      for (let next = data[part]; next && filled < room.length; next = data[part]) {
        const slice = bytes.subarray(next.start + at, Math.min(next.end, next.start + at + room.length - filled))
        room.set(slice, filled)
        crc = core.updateCrc(crc, start + filled, slice.length)
        filled += slice.length
        at += slice.length
        if (next.start + at < next.end) break
        if (next.crc !== undefined && next.crc !== crc >>> 0) throw damaged('its IDAT chunk is damaged')
        part++
        at = 0
        crc = IDAT_CRC
      }
      core.giveInput(filled, part === data.length)
      return []
    },
  }
}

/** The parts that pixels are made of. Damage in a critical chunk is not forgiven, elsewhere the chunk is left out. */
function readParts(bytes: Uint8Array): Parts {
  const none = new Uint8Array()
  const parts: Parts = { header: none, palette: none, transparency: none, data: [], isCut: false }
  let previous = ''
  let isAnimated = false
  for (const chunk of pngChunks(bytes)) {
    const { type, body, bodyEnd, whole } = chunk
    if (type === 'acTL') isAnimated = true
    const isCritical = type < 'a'
    // Megabytes of text are in no image: whether they are intact is not asked.
    const isUsed = isCritical || type === 'tRNS'
    if (type === 'IDAT' || (isUsed && isIntact(bytes, chunk))) {
      if (type === 'IHDR') parts.header = bytes.subarray(body, bodyEnd)
      else if (type === 'PLTE') parts.palette = bytes.subarray(body, bodyEnd)
      else if (type === 'tRNS') parts.transparency = bytes.subarray(body, bodyEnd)
      else if (type === 'IDAT') {
        if (parts.data.length > 0 && previous !== 'IDAT') throw damaged('its IDAT chunks must be in a row')
        parts.data.push({ start: body, end: bodyEnd, crc: whole ? uint32BE(bytes, bodyEnd) : undefined })
      }
    } else if (isCritical && type !== 'IEND') throw damaged(`its ${type} chunk is damaged or cut short`)
    previous = type
  }
  // After the last whole chunk more IDAT chunks may have been lost.
  const frame = isAnimated ? findFirstFrame(bytes, parts.header) : undefined
  return { ...parts, isCut: previous === 'IDAT', data: frame ?? parts.data }
}

/**
 * Returns the data of an APNG's first frame, if its fcTL follows IDAT (the default image is not part of the animation)
 * and it fills the canvas. Otherwise undefined (11.3.6).
 */
function findFirstFrame(bytes: Uint8Array, header: Uint8Array): Part[] | undefined {
  let isAnimated = false
  let hasPixels = false
  let frame: Part[] | undefined
  for (const chunk of pngChunks(bytes)) {
    const { type, body, bodyEnd } = chunk
    if (type === 'acTL') isAnimated = true
    else if (type === 'IDAT') hasPixels = true
    else if (type === 'fcTL') {
      if (!isAnimated || !hasPixels || frame) break
      const isWhole = [0, 1].every((i) => uint32BE(bytes, body + 4 + 4 * i) === uint32BE(header, 4 * i))
      if (!isWhole || !isIntact(bytes, chunk)) break
      frame = []
    } else if (type === 'fdAT' && frame) {
      if (!isIntact(bytes, chunk)) return undefined
      frame.push({ start: body + FRAME_NUMBER_BYTES, end: bodyEnd, crc: undefined })
    }
  }
  return frame && frame.length > 0 ? frame : undefined
}

function damaged(what: string): ImageRefusal {
  return new ImageRefusal('unreadable', `the PNG cannot be decoded: ${what}`)
}
