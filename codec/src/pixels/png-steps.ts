import { crc32, createInflate } from 'node:zlib'
import { ROW_SLACK } from '../../assembly/arena/row-slack.ts'
import { release, uint32BE } from '../bytes.ts'
import type { Chunk } from '../container/chunk.ts'
import { pngChunks } from '../container/png-chunks.ts'
import { ImageRefusal } from '../refusal.ts'
import { type Core, put, requireOk, stepUntilDone } from './core.ts'

/** Larger pieces cost less: 48 megapixels take half the time that pieces of 4 KiB do. */
const PIECE_BYTES = 256 * 1024
/** Compressed data may go on after the last row; that much more is read past, as other decoders do. */
const TOLERATED_EXCESS_BYTES = 1 << 16

interface Parts {
  header: Uint8Array
  palette: Uint8Array
  transparency: Uint8Array
  data: Uint8Array[]
}

/**
 * Decodes a PNG, of an APNG the default image, step by step into what the core was told to make (PNG 3rd edition). What an
 * interlaced one must hold may take `canvasMaxBytes`. Throws ImageRefusal.
 */
export async function* pngSteps(core: Core, bytes: Uint8Array, canvasMaxBytes: number): AsyncGenerator<void, void> {
  const { header, palette, transparency, data } = readParts(bytes)
  const [ihdr, plte, trns] = [put(core, header), put(core, palette), put(core, transparency)]
  const piece = core.allocate(PIECE_BYTES + ROW_SLACK)
  requireOk(core.openPng(ihdr, header.length, plte, palette.length, trns, transparency.length, canvasMaxBytes))
  let excess = 0
  for await (const inflated of inflate(data)) {
    if (core.isPngComplete()) excess += inflated.length
    if (excess > TOLERATED_EXCESS_BYTES) throw damaged('its compressed data goes on after the last row')
    new Uint8Array(core.memory.buffer, piece, inflated.length).set(inflated)
    for (let at = 0; at < inflated.length; at += core.pngStepBytes()) {
      requireOk(core.feedPng(piece + at, Math.min(core.pngStepBytes(), inflated.length - at)))
      yield
    }
  }
  yield* stepUntilDone(() => core.stepPng())
}

/** The inflated bytes of the IDAT chunks, in pieces of PIECE_BYTES at most. */
async function* inflate(parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  const inflater = createInflate({ chunkSize: PIECE_BYTES })
  for (const part of parts) inflater.write(part)
  inflater.end()
  try {
    // What has gathered while nobody read comes joined.
    for await (const pieces of inflater) {
      for (let at = 0; at < pieces.length; at += PIECE_BYTES) yield pieces.subarray(at, at + PIECE_BYTES)
      // Several pieces may be in one buffer, in order: this was the last of it.
      const isLastOfBuffer = pieces.byteOffset + pieces.length === pieces.buffer.byteLength
      if (isLastOfBuffer && pieces.length > 0 && pieces.buffer.byteLength >= PIECE_BYTES) release(pieces)
    }
  } catch (error) {
    throw error instanceof ImageRefusal ? error : damaged('its compressed data cannot be read')
  } finally {
    inflater.destroy()
  }
}

/** The parts that pixels are made of. Damage in a critical chunk is not forgiven, elsewhere the chunk is left out. */
function readParts(bytes: Uint8Array): Parts {
  const none = new Uint8Array()
  const parts: Parts = { header: none, palette: none, transparency: none, data: [] }
  let previous = ''
  for (const chunk of pngChunks(bytes)) {
    const { type, body, bodyEnd } = chunk
    const content = bytes.subarray(body, bodyEnd)
    const isCritical = type < 'a'
    if (isIntact(bytes, chunk)) {
      if (type === 'IHDR') parts.header = content
      else if (type === 'PLTE') parts.palette = content
      else if (type === 'tRNS') parts.transparency = content
      else if (type === 'IDAT') {
        if (parts.data.length > 0 && previous !== 'IDAT') throw damaged('its IDAT chunks must be in a row')
        parts.data.push(content)
      }
    } else if (isCritical && type !== 'IEND') throw damaged(`its ${type} chunk is damaged or cut short`)
    previous = type
  }
  return parts
}

function isIntact(bytes: Uint8Array, { start, bodyEnd, whole }: Chunk): boolean {
  return whole && uint32BE(bytes, bodyEnd) === crc32(bytes.subarray(start + 4, bodyEnd))
}

function damaged(what: string): ImageRefusal {
  return new ImageRefusal('unreadable', `the PNG cannot be decoded: ${what}`)
}
