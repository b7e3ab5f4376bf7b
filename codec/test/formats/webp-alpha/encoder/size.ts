import { expect } from 'vitest'

/** Bytes that do not count: planes that take this little differ by a code or two. */
const SLACK = 500

/** Asserts that our chunk takes at most 15 % more bytes than libwebp's, or a few. */
export function assertNoLonger(ours: Buffer, theirs: Buffer): void {
  const most = Math.max(theirs.length * 1.15, theirs.length + SLACK)
  expect(ours.length, `bytes, libwebp ${theirs.length}`).toBeLessThanOrEqual(most)
}
