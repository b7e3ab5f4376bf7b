import { expect, test } from 'vitest'
import { en } from '../../../src/pages/messages/en.ts'
import { messagesIn } from '../../../src/pages/shell/messages.ts'
import { describeOptimization } from '../../../src/pages/upload/optimization.ts'

const { unchanged, notSmaller, stripped } = en.upload
const SAME = { originalBytes: 2000, storedBytes: 2000 }
const HALF = { applied: true, originalBytes: 2000, storedBytes: 1000 }
const SLIGHTLY_LESS = { applied: true, originalBytes: 200_000, storedBytes: 199_990 }

test.each([
  ['gif_not_optimized', { applied: false, ...SAME }, unchanged],
  ['animated', { applied: false, ...SAME }, unchanged],
  ['kept_avif', { applied: false, ...SAME }, unchanged],
  ['kept_avif', SLIGHTLY_LESS, stripped],
  ['webp_not_smaller', { applied: false, ...SAME }, notSmaller],
  ['webp_not_smaller', SLIGHTLY_LESS, stripped],
  ['metadata_only', { applied: false, ...SAME }, notSmaller],
  ['metadata_only', HALF, '2.0 kB → 1.0 kB (50% smaller)'],
  [
    'reencoded_webp',
    { ...HALF, storedSize: { width: 3840, height: 10 } },
    '2.0 kB → 1.0 kB (50% smaller) · resized to 3,840 × 10 pixels',
  ],
  ['converted_to_webp', { ...HALF, isConverted: true }, '2.0 kB → 1.0 kB (50% smaller) · converted to WebP'],
])('%s with %j is "%s"', (reason, result, text) => {
  expect(describeOptimization('en', messagesIn('en').upload, { ...result, reason })).toBe(text)
})
