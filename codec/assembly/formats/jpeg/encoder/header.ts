// The marker segments from the first table to the scan's data (T.81 B.2), for three components, YCbCr 4:2:0. SOI and the
// application segments before them are the host's.

import { advanceTo, output } from '../../../pipeline/output'
import { Marker } from '../markers'
import { codesOfLength, symbolsInOrder } from './huffman'
import { stepOf } from './quantizer'

const COMPONENTS: i32 = 3

/** Writes DQT, SOF0, DHT and SOS: some 500 bytes, 1.4 KB at most. */
export function writeHeader(width: i32, height: i32): void {
  writeQuantization()
  writeFrame(width, height)
  for (let table = 0; table < 4; table++) writeHuffman(table)
  writeScan()
}

/** Writes the end of the image. */
export function writeEnd(): void {
  u16be(0xff00 | Marker.Eoi)
}

/** B.2.4.1: both tables, 8 bits a step. */
function writeQuantization(): void {
  marker(Marker.Dqt, 2 * 65)
  for (let table = 0; table < 2; table++) {
    byte(table)
    for (let k = 0; k < 64; k++) byte(stepOf(table, k))
  }
}

/** B.2.2: chroma at half the resolution each way, with the second table. */
function writeFrame(width: i32, height: i32): void {
  marker(Marker.Sof0, 6 + 3 * COMPONENTS)
  byte(8)
  u16be(height)
  u16be(width)
  byte(COMPONENTS)
  for (let i = 0; i < COMPONENTS; i++) {
    byte(i + 1)
    byte(i == 0 ? 0x22 : 0x11)
    byte(min(i, 1))
  }
}

/** B.2.4.2: tables 0 and 1 of each class, DC or AC. */
function writeHuffman(table: i32): void {
  let symbols = 0
  for (let length = 1; length <= 16; length++) symbols += codesOfLength(table, length)
  marker(Marker.Dht, 17 + symbols)
  byte(((table & 1) << 4) | (table >> 1))
  for (let length = 1; length <= 16; length++) byte(codesOfLength(table, length))
  memory.copy(output.at, symbolsInOrder(table), symbols)
  advanceTo(output.at + symbols)
}

/** B.2.3: all components, all coefficients. */
function writeScan(): void {
  marker(Marker.Sos, 4 + 2 * COMPONENTS)
  byte(COMPONENTS)
  for (let i = 0; i < COMPONENTS; i++) {
    byte(i + 1)
    byte(0x11 * min(i, 1))
  }
  byte(0)
  byte(63)
  byte(0)
}

/** A marker and its segment's length, which counts itself. */
function marker(code: i32, bytes: i32): void {
  u16be(0xff00 | code)
  u16be(2 + bytes)
}

function u16be(value: i32): void {
  byte(value >> 8)
  byte(value)
}

function byte(value: i32): void {
  store<u8>(output.at, <u8>value)
  advanceTo(output.at + 1)
}
