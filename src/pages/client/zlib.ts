const POLYNOMIAL = 0xedb88320

/** The CRC-32 of bytes (ISO 3309; PNG 3rd edition, annex D): what browsers lack of Node's zlib. */
export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1
  }
  return ~crc >>> 0
}
