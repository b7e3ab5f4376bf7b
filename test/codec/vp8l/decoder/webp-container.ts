/**
 * The payload of the first chunk of type `type` of a WebP file, or undefined if there is none or a chunk is cut short.
 */
export function webpChunk(file: Buffer, type: string): Buffer | undefined {
  if (file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WEBP') return undefined
  let at = 12
  while (at + 8 <= file.length) {
    const end = at + 8 + file.readUInt32LE(at + 4)
    if (end > file.length) return undefined
    if (file.toString('latin1', at, at + 4) === type) return file.subarray(at + 8, end)
    at = end + (end & 1)
  }
  return undefined
}

/** A WebP file of these chunks. */
export function webpFile(...chunks: readonly (readonly [type: string, payload: Buffer])[]): Buffer {
  const parts = chunks.flatMap(([type, payload]) => {
    const head = Buffer.from(`${type}    `, 'latin1')
    head.writeUInt32LE(payload.length, 4)
    return [head, payload, Buffer.alloc(payload.length & 1)]
  })
  const body = Buffer.concat(parts)
  const head = Buffer.from('RIFF    WEBP', 'latin1')
  head.writeUInt32LE(4 + body.length, 4)
  return Buffer.concat([head, body])
}
