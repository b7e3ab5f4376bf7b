import { expect, test } from 'vitest'
import { type HostSettings, isOwnUrl, resolveHost, showOrigins } from '../../src/http/hosts.ts'

const SETTINGS = { PUBLIC_DOMAINS: 'one.example, two.example,single.example,tintype.me.workers.dev,localhost' }
const ON_PORT = { ...SETTINGS, LOCAL_PORT: '8787', SINGLE_HOST_DOMAINS: 'Single.example' }
const hostOf = (url: string, settings: HostSettings = ON_PORT) => resolveHost({ url }, settings)

test.each([
  ['http://one.example', 'everything', 'https://one.example'],
  ['http://www.two.example', 'everything', 'https://two.example'],
  ['http://api.two.example', 'api', 'https://two.example'],
  ['http://t1.one.example', 'media', 'https://one.example'],
  ['http://t907.one.example', 'media', 'https://one.example'],
  ['http://img3.one.example:8787', 'media', 'https://one.example'],
  ['http://img.one.example', 'unknown', 'https://one.example'],
  ['http://x.two.example', 'unknown', 'https://one.example'],
  ['http://two.example.evil.example', 'unknown', 'https://one.example'],
  ['http://api.www.two.example', 'unknown', 'https://one.example'],
  ['http://localhost:8787', 'everything', 'http://localhost:8787'],
  ['http://127.0.0.1:9000', 'everything', 'http://127.0.0.1:9000'],
  ['http://[::1]:8787', 'everything', 'http://[::1]:8787'],
  ['http://api.localhost:8787', 'unknown', 'https://one.example'],
  ['http://single.example', 'everything', 'https://single.example'],
  ['http://www.single.example', 'unknown', 'https://one.example'],
  ['http://api.single.example', 'unknown', 'https://one.example'],
  ['http://img1.single.example', 'unknown', 'https://one.example'],
  ['http://tintype.me.workers.dev', 'everything', 'https://tintype.me.workers.dev'],
  ['http://t1.tintype.me.workers.dev', 'unknown', 'https://one.example'],
  ['http://other.me.workers.dev', 'unknown', 'https://one.example'],
  ['http://[', 'unknown', 'https://one.example'],
])('%s serves %s with links on %s (D4 to D6)', (url, role, pages) => {
  expect(hostOf(url)).toMatchObject({ role, site: { pages } })
})

test('media have hosts of their own on a public domain, and paths on this machine', () => {
  expect(hostOf('http://two.example').site).toEqual({
    pages: 'https://two.example',
    thumbnails: 'https://t1.two.example',
    originals: 'https://img1.two.example',
  })
  expect(originsOf('http://localhost:1')).toEqual(['http://localhost:1'])
})

test('a domain without subdomains serves everything on its one host', () => {
  expect(originsOf('http://single.example')).toEqual(['https://single.example'])
  expect(originsOf('http://tintype.me.workers.dev')).toEqual(['https://tintype.me.workers.dev'])
  expect(hostOf('http://single.example', SETTINGS).site.originals).toBe('https://img1.single.example')
  expect(hostOf('http://unknown.example', { PUBLIC_DOMAINS: 'a.b.workers.dev' }).site.originals).toBe(
    'https://a.b.workers.dev',
  )
})

test('workers.dev is the requested host below it', () => {
  const given = { PUBLIC_DOMAINS: 'workers.dev,one.example' }
  const host = hostOf('http://pics.me.workers.dev', given)
  expect(new Set(Object.values(host.site))).toEqual(new Set(['https://pics.me.workers.dev']))
  expect(showOrigins(host).has('https://pics.me.workers.dev')).toBe(true)
  expect(isOwnUrl(new URL('https://other.me.workers.dev/'), host)).toBe(false)
  expect(hostOf('http://t1.one.example', given)).toMatchObject({ role: 'media' })
  for (const other of [
    'http://t1.pics.me.workers.dev',
    'http://me.workers.dev',
    'http://pics.me.workers.dev.evil.example',
  ]) {
    expect(hostOf(other, { PUBLIC_DOMAINS: 'one.example,workers.dev' }).site.pages).toBe('https://one.example')
  }
})

function originsOf(url: string): string[] {
  return [...new Set(Object.values(hostOf(url).site))]
}

test('an unknown host gets links on the first domain, even if that is this machine', () => {
  const local = { PUBLIC_DOMAINS: 'localhost', LOCAL_PORT: '8787' }
  expect(hostOf('http://evil.example', local).site.pages).toBe('http://localhost:8787')
  expect(hostOf('http://localhost:8787', { ...local, PUBLIC_DOMAINS: 'one.example' }).site.pages).toBe(
    'https://one.example',
  )
})

test('settings without a domain are rejected', () => {
  expect(() => hostOf('http://one.example', { PUBLIC_DOMAINS: ' , ' })).toThrow('PUBLIC_DOMAINS must name')
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
  ['https://single.example', true],
  ['http://tintype.me.workers.dev', true],
  ['https://www.single.example', false],
  ['https://www.tintype.me.workers.dev', false],
])('show URLs begin with %s: %s (D25, D6)', (origin, expected) => {
  expect(showOrigins(hostOf('http://one.example')).has(origin)).toBe(expected)
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
  ['https://single.example/', true],
  ['https://t1.single.example/', false],
  ['https://tintype.me.workers.dev/', true],
  ['https://me.workers.dev/', false],
] as const)('%s is ours: %s', (url, ours) => {
  expect(isOwnUrl(new URL(url), hostOf('http://one.example'))).toBe(ours)
})
