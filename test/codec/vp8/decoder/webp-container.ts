/** The payload of the "VP8 " chunk of a WebP file, or undefined if there is none or a chunk is cut short. */
export function vp8Frame(file: Buffer): Buffer | undefined {
  if (file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WEBP') return undefined
  let at = 12
  while (at + 8 <= file.length) {
    const end = at + 8 + file.readUInt32LE(at + 4)
    if (end > file.length) return undefined
    if (file.toString('latin1', at, at + 4) === 'VP8 ') return file.subarray(at + 8, end)
    at = end + (end & 1)
  }
  return undefined
}

/** A simple lossy WebP file of one frame. */
export function webpFile(frame: Buffer): Buffer {
  const padding = frame.length & 1
  const header = Buffer.from('RIFF    WEBPVP8     ', 'latin1')
  header.writeUInt32LE(12 + frame.length + padding, 4)
  header.writeUInt32LE(frame.length, 16)
  return Buffer.concat([header, frame, Buffer.alloc(padding)])
}
