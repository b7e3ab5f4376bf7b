/**
 * Returns a RIFF chunk: its four letters, its length and its payload, padded to an even length (WebP Container
 * Specification).
 */
export function riffChunk(type: string, payload: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = Buffer.from(`${type}    `, 'latin1')
  head.writeUInt32LE(payload.length, 4)
  return new Uint8Array(Buffer.concat([head, payload, Buffer.alloc(payload.length & 1)]))
}

/** Returns a WebP file of these chunks. They need not form an image. */
export function webpFile(...chunks: readonly (readonly [type: string, payload: Uint8Array])[]): Buffer {
  const parts = chunks.map(([type, payload]) => riffChunk(type, payload))
  return Buffer.from(riffChunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...parts])))
}

/**
 * Returns the payload of the first chunk of a type in a WebP file, or undefined if there is none or it is truncated.
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
