const POLYNOMIAL = 0xedb88320

/** Four tables: of a byte, and of a byte that one, two or three more follow. */
const TABLES = makeTables()

/** The CRC-32 of bytes (ISO 3309; PNG 3rd edition, annex D). */
export function crc32(bytes: Uint8Array): number {
  const [last, third, second, first] = TABLES
  let crc = -1
  let at = 0
  for (const end = bytes.length - 3; at < end; at += 4) {
    crc ^= entry(bytes, at) | (entry(bytes, at + 1) << 8) | (entry(bytes, at + 2) << 16) | (entry(bytes, at + 3) << 24)
    crc =
      entry(first, crc & 255) ^
      entry(second, (crc >>> 8) & 255) ^
      entry(third, (crc >>> 16) & 255) ^
      entry(last, crc >>> 24)
  }
  for (; at < bytes.length; at++) crc = entry(last, (crc ^ entry(bytes, at)) & 255) ^ (crc >>> 8)
  return ~crc >>> 0
}

function entry(table: Int32Array | Uint8Array, at: number): number {
  return table[at] ?? 0
}

function makeTables(): readonly [Int32Array, Int32Array, Int32Array, Int32Array] {
  const last = Int32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1
    return crc
  })
  const followed = (table: Int32Array) => table.map((crc) => entry(last, crc & 255) ^ (crc >>> 8))
  const third = followed(last)
  const second = followed(third)
  return [last, third, second, followed(second)]
}
