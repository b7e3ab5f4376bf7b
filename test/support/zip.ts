import { crc32 } from 'node:zlib'

/** A file in a ZIP, with the fields of its two headers. */
interface ZippedFile {
  name: string
  bytes: Buffer
  modifiedAtMs: number
}

const END_BYTES = 22
const LOCAL_HEADER_BYTES = 30
const CENTRAL_HEADER_BYTES = 46

/**
 * Reads a ZIP of stored files strictly, from its end, by the central directory. Both headers of a file must agree, its
 * CRC-32 must be right, and every byte must belong to a structure. Throws otherwise.
 */
export function readZip(zip: Uint8Array): ZippedFile[] {
  const file = Buffer.from(zip)
  const end = file.length - END_BYTES
  requireEqual('end record', file.readUInt32LE(end), 0x06054b50)
  const count = file.readUInt16LE(end + 10)
  const directory = file.readUInt32LE(end + 16)
  requireEqual('size of the directory', file.readUInt32LE(end + 12), end - directory)
  const files: ZippedFile[] = []
  let at = directory
  let dataEnd = 0
  for (let index = 0; index < count; index++) {
    requireEqual('central header', file.readUInt32LE(at), 0x02014b50)
    const [nameLength, extraLength] = [file.readUInt16LE(at + 28), file.readUInt16LE(at + 30)]
    const [local, size, sum] = [file.readUInt32LE(at + 42), file.readUInt32LE(at + 20), file.readUInt32LE(at + 16)]
    const name = file.toString('utf8', at + CENTRAL_HEADER_BYTES, at + CENTRAL_HEADER_BYTES + nameLength)
    requireEqual('offset', local, dataEnd)
    requireEqual('local header', file.readUInt32LE(local), 0x04034b50)
    const hasDescriptor = (file.readUInt16LE(local + 6) & 8) !== 0
    requireEqual('flags', file.readUInt16LE(at + 8), file.readUInt16LE(local + 6))
    const nameAt = local + LOCAL_HEADER_BYTES
    const start = nameAt + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28)
    requireEqual('local name', file.toString('utf8', nameAt, nameAt + file.readUInt16LE(local + 26)), name)
    const bytes = file.subarray(start, start + size)
    requireEqual('CRC-32', crc32(bytes), sum)
    const sums = hasDescriptor ? start + size + 4 : local + 14
    requireEqual('local CRC-32', file.readUInt32LE(sums), sum)
    requireEqual('local size', file.readUInt32LE(sums + 4), size)
    dataEnd = start + size + (hasDescriptor ? 16 : 0)
    const timestamp = at + CENTRAL_HEADER_BYTES + nameLength + 5
    files.push({ name, bytes, modifiedAtMs: file.readUInt32LE(timestamp) * 1000 })
    at += CENTRAL_HEADER_BYTES + nameLength + extraLength
  }
  requireEqual('end of the directory', at, end)
  requireEqual('end of the files', dataEnd, directory)
  return files
}

function requireEqual<Value>(what: string, is: Value, should: Value): void {
  if (is !== should) throw new Error(`the ZIP is damaged: ${what} is ${is}, not ${should}`)
}
