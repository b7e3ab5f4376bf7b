import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { ASSETS } from '#generated/assets.ts'
import * as routes from '../src/routes.ts'

const SRC = path.resolve(import.meta.dirname, '../src')

const patterns = Object.values(routes).filter((route) => typeof route === 'string')
const firstSegments = new Set(patterns.map((route) => route.split('/')[1] ?? '').filter((segment) => segment !== ''))
const LITERAL = new RegExp(
  `(?<![\\w.)*<])/(?:\\(\\?:)?(?:${[...firstSegments].map((one) => one.replaceAll('.', '\\.')).join('|')})(?![\\w-])`,
)

/** Returns the code of a file without comments and imports. */
function codeOf(file: string): string {
  return readFileSync(path.join(SRC, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*|from '.*'/g, '')
}

describe('every path is written once, in routes.ts', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && file !== 'routes.ts')
    .filter((file) => !file.startsWith('codec'))
  test.each(files)('not in %s', (file) => {
    expect(
      codeOf(file)
        .split('\n')
        .filter((line) => LITERAL.test(line)),
    ).toEqual([])
  })

  test('the search finds paths', () => {
    for (const line of ["'/images'", '}/images`', '"/docs"', '/^\\/(?:show|manage)\\//', "'/robots.txt'"]) {
      expect(LITERAL.test(line), line).toBe(true)
    }
  })
})

test('no two routes are the same', () => {
  expect(new Set(patterns).size).toBe(patterns.length)
})

test('a route with its parameters is a path, without them a prefix, with braces a template', () => {
  expect(routes.pathOf(routes.original, { directory: '1', file: '2_$&.jpg' })).toBe('/images/1/2_$&.jpg')
  expect(routes.pathOf(routes.galleryCodes, { gallery_hash: ':token' })).toBe('/gallery/:token/codes')
  expect(routes.prefixOf(routes.original)).toBe('/images/')
  expect(routes.prefixOf(routes.report)).toBe('/report')
  expect(routes.templateOf(routes.finalizeGallery)).toBe('/galleries/{gallery_hash}/finalize')
})

test('the styles and scripts exist at the paths that serve them', () => {
  for (const { path: address } of Object.values(ASSETS))
    expect(address).toMatch(new RegExp(`^${routes.prefixOf(routes.asset)}[^/]+$`))
})
