import { expect, test } from 'vitest'
import {
  formatBytes,
  formatDay,
  formatHours,
  formatList,
  formatMegabytes,
  formatNumber,
  formatPlural,
  formatSavings,
  formatUntil,
} from '../../../src/pages/shell/formatting.ts'
import { messagesIn } from '../../../src/pages/shell/messages.ts'
import { DAY_S, HOUR_S } from '../../../src/units.ts'

/** Intl separates with several kinds of spaces, which change with its data. */
const plainSpaces = (text: string) => text.replace(/\p{Zs}/gu, ' ')

test.each([
  ['en', '12,345'],
  ['de', '12.345'],
  ['fr', '12 345'],
  ['es', '12.345'],
  ['ja', '12,345'],
  ['ru', '12 345'],
  ['zh', '12,345'],
] as const)('%s groups digits as %s', (language, text) => {
  expect(plainSpaces(formatNumber(language, 12345))).toBe(text)
})

test.each([
  ['en', '10 MB'],
  ['de', '10 MB'],
  ['fr', '10 Mo'],
  ['es', '10 MB'],
  ['ja', '10 MB'],
] as const)('%s calls 10,485,760 bytes %s', (language, text) => {
  expect(plainSpaces(formatMegabytes(language, 10_485_760))).toBe(text)
})

test.each([
  [30 * DAY_S, 'January 31, 2026'],
  [30 * DAY_S - 1, 'in 30 days'],
  [29 * DAY_S + 23 * HOUR_S, 'in 30 days'],
  [29 * DAY_S + 23 * HOUR_S - 1, 'in 29 days'],
  [7 * DAY_S - 5, 'in 7 days'],
  [2 * DAY_S - 5, 'in 2 days'],
  [DAY_S - 5, 'in 24 hours'],
  [DAY_S - 600, 'in 23 hours'],
  [HOUR_S - 1, 'in 60 minutes'],
  [HOUR_S - 5, 'in 59 minutes'],
  [1, 'in 1 minute'],
  [-1, 'in 1 minute'],
] as const)('a time in %i s is %s: what has just begun is whole', (seconds, text) => {
  const nowMs = Date.UTC(2026, 0, 1, 12)
  expect(formatUntil('en', nowMs + seconds * 1000, nowMs)).toBe(text)
})

test.each([
  ['en', '24 hours'],
  ['uk', '24 години'],
  ['ro', '24 de ore'],
  ['ar', '24 ساعة'],
] as const)('%s writes a day of hours as %s', (language, text) => {
  expect(plainSpaces(formatHours(language, 24))).toBe(text)
})

test.each([
  ['en', 'January 2, 2026'],
  ['de', '2. Januar 2026'],
  ['fr', '2 janvier 2026'],
  ['es', '2 de enero de 2026'],
  ['ja', '2026年1月2日'],
  ['pl', '2 stycznia 2026'],
  ['ar', '2 يناير 2026'],
] as const)('%s writes the day as %s', (language, text) => {
  expect(plainSpaces(formatDay(language, Date.UTC(2026, 0, 2)))).toBe(text)
})

test.each([
  ['en', 0, '0 pictures'],
  ['en', 1, '1 picture'],
  ['en', 1000, '1,000 pictures'],
  ['de', 1, '1 Bild'],
  ['de', 2, '2 Bilder'],
  ['fr', 0, '0 image'],
  ['fr', 2, '2 images'],
  ['fr', 1_000_000, '1 000 000 d’images'],
  ['es', 1, '1 imagen'],
  ['es', 0, '0 imágenes'],
  ['ja', 1, '1 枚の画像'],
  ['ru', 3, '3 изображения'],
  ['ru', 5, '5 изображений'],
  ['pl', 22, '22 obrazy'],
  ['ar', 2, 'صورتان'],
] as const)('%s counts %i as %s', (language, count, text) => {
  expect(plainSpaces(formatPlural(language, messagesIn(language).imageCount, count))).toBe(text)
})

test.each([
  ['en', 'JPEG, PNG, and GIF'],
  ['de', 'JPEG, PNG und GIF'],
  ['zh', 'JPEG、PNG和GIF'],
  ['ar', 'JPEG وPNG وGIF'],
] as const)('%s lists names as %s', (language, text) => {
  expect(formatList(language, ['JPEG', 'PNG', 'GIF'])).toBe(text)
})

test.each([
  [0, '0 bytes'],
  [1023, '1,023 bytes'],
  [1024, '1 kB'],
  [1536, '1.5 kB'],
  [340_000, '332 kB'],
  [1_048_575, '1,024 kB'],
  [1_048_576, '1 MB'],
  [2_411_724, '2.3 MB'],
  [10_485_760, '10 MB'],
])('%i bytes are %s', (bytes, text) => {
  expect(plainSpaces(formatBytes('en', bytes))).toBe(text)
})

test.each([
  [2_000_000, 400_000, ['1.9 MB', '391 kB', '80%']],
  [1_000_000, 400_000, ['977 kB', '391 kB', '60%']],
  [1_100_000, 1_040_000, ['1.05 MB', '0.99 MB', '5%']],
  [18_800, 18_100, ['18.4 kB', '17.7 kB', '4%']],
  [2_411_724, 2_380_000, ['2.30 MB', '2.27 MB', '1%']],
  [18_432, 18_330, ['18.0 kB', '17.9 kB', '1%']],
  [10_485_760, 2000, ['10 MB', '2 kB', '99%']],
])('%i bytes that became %i are distinguished', (before, after, texts) => {
  expect(Object.values(formatSavings('en', before, after) ?? {}).map(plainSpaces)).toEqual(texts)
})

test('half a percent is no saving', () => {
  expect(formatSavings('en', 100_000, 99_501)).toBeUndefined()
})
