/** A JPEG with comments in front: the same picture in so many bytes more. */
export function paddedJpeg(picture: Buffer, bytes: number): Buffer {
  const comment = Buffer.alloc(0xffff + 2)
  comment.writeUInt32BE(0xfffe_ffff)
  const comments = Array.from({ length: Math.ceil(bytes / comment.length) }, () => comment)
  return Buffer.concat([picture.subarray(0, 2), ...comments, picture.subarray(2)])
}
