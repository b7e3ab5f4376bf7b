/** Returns a JPEG with comments in front: the same image, this many bytes longer. */
export function paddedJpeg(image: Buffer, bytes: number): Buffer {
  const comment = Buffer.alloc(0xffff + 2)
  comment.writeUInt32BE(0xfffe_ffff)
  const comments = Array.from({ length: Math.ceil(bytes / comment.length) }, () => comment)
  return Buffer.concat([image.subarray(0, 2), ...comments, image.subarray(2)])
}
