import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const PAGES = path.resolve(import.meta.dirname, '../../src/pages')
const files = readdirSync(PAGES, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.css'))
  .map((name) => ({ name, css: readFileSync(path.join(PAGES, name), 'utf8') }))
/** In rem: 2, 4, 8, 12, 16, 24, 32, 48 and 64 pixels. */
const SPACES = [0, 0.125, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4]

test.each(files)('$name has the six font sizes, and no others', ({ css }) => {
  const sizes = [...css.matchAll(/[^-]font-size:\s*([^;]+);/g)].map(([, size]) => size)
  expect(sizes.filter((size) => !/^var\(--text-[1-6]\)$/.test(size ?? ''))).toEqual([])
})

test.each(files)('$name has spaces of one scale', ({ css }) => {
  const declared = css.matchAll(/[^\w-](?:margin|padding|gap)(?:-[a-z-]+)?:\s*([^;]+);/g)
  const values = [...declared].flatMap(([, value = '']) => (value.includes('(') ? [] : value.split(/\s+/)))
  const spaces = values.filter((value) => value.endsWith('rem')).map((value) => Math.abs(Number.parseFloat(value)))
  expect(spaces.filter((space) => !SPACES.includes(space))).toEqual([])
})

test.each(files)('$name moves nothing for readers who prefer no motion', ({ css }) => {
  const still = css.replace(/@media \(prefers-reduced-motion: no-preference\) \{.*?^\}/gms, '')
  expect(still).not.toMatch(/[^-](?:transition|animation):|@view-transition/)
})
