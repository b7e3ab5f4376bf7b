import { expect, test } from 'vitest'
import { isOwnUrl, resolveHost, showOrigins } from '../../src/http/hosts.ts'

const DOMAINS = ['one.example', 'two.example', 'localhost']

test.each([
  ['http://one.example', 'everything', 'https://one.example'],
  ['http://www.two.example', 'everything', 'https://two.example'],
  ['http://api.two.example', 'api', 'https://two.example'],
  ['http://t1.one.example', 'thumbnails', 'https://one.example'],
  ['http://t907.one.example', 'thumbnails', 'https://one.example'],
  ['http://img3.one.example:8787', 'originals', 'https://one.example'],
  ['http://img.one.example', 'everything', 'https://one.example'],
  ['http://x.two.example', 'everything', 'https://one.example'],
  ['http://two.example.evil.example', 'everything', 'https://one.example'],
  ['http://api.www.two.example', 'everything', 'https://one.example'],
  ['http://localhost:8787', 'everything', 'http://localhost:8787'],
  ['http://127.0.0.1:9000', 'everything', 'http://127.0.0.1:9000'],
  ['http://[::1]:8787', 'everything', 'http://[::1]:8787'],
  ['http://api.localhost:8787', 'everything', 'https://one.example'],
])('%s answers %s with links on %s (D4 to D6)', (url, role, pages) => {
  expect(resolveHost(new URL(url), DOMAINS, '8787')).toMatchObject({ role, site: { pages } })
})

test('media have hosts of their own on a public domain and paths on this machine', () => {
  expect(resolveHost(new URL('http://two.example'), DOMAINS, undefined).site).toEqual({
    pages: 'https://two.example',
    thumbnails: 'https://t1.two.example',
    originals: 'https://img1.two.example',
  })
  expect(new Set(Object.values(resolveHost(new URL('http://localhost:1'), DOMAINS, undefined).site))).toEqual(
    new Set(['http://localhost:1']),
  )
})

test('an unknown host gets links on the first domain, also when that is this machine', () => {
  expect(resolveHost(new URL('http://evil.example'), ['localhost'], '8787').site.pages).toBe('http://localhost:8787')
  expect(resolveHost(new URL('http://localhost:8787'), ['one.example'], '8787').site.pages).toBe('https://one.example')
})

test.each([
  ['https://one.example', true],
  ['http://www.two.example', true],
  ['https://api.one.example', false],
  ['http://localhost:8787', true],
  ['http://[::1]:8787', true],
  ['http://localhost', false],
  ['http://localhost:8788', false],
  ['https://localhost:8787', false],
])('show URLs begin with %s: %s (D25, D6)', (origin, expected) => {
  expect(showOrigins(new URL('http://one.example'), DOMAINS, '8787').has(origin)).toBe(expected)
})

test.each([
  ['https://one.example/', true],
  ['https://www.two.example/', true],
  ['http://t7.one.example/', true],
  ['https://img1.two.example:8443/', true],
  ['http://localhost:1/', true],
  ['http://127.0.0.1/', true],
  ['https://three.example/', false],
  ['https://one.example.three.example/', false],
  ['https://x.one.example/', false],
  ['https://t1.localhost/', false],
] as const)('%s is ours: %s', (url, ours) => {
  expect(isOwnUrl(new URL(url), DOMAINS)).toBe(ours)
})
