import { expect, test } from 'vitest'
import { compression } from '../../../src/http/responses/compression.ts'

const request = (accepted: string | undefined) =>
  new Request('http://test/', accepted === undefined ? {} : { headers: { 'Accept-Encoding': accepted } })

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['gzip;q=0.5, identity', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br; q=0.000, gzip; q=0', undefined],
  ['identity', undefined],
  ['x-gzip', undefined],
  ['', undefined],
  [undefined, undefined],
])('Accept-Encoding %j gets %s', (accepted, encoding) => {
  expect(compression(request(accepted))['Content-Encoding']).toBe(encoding)
})

test('caches are told what the response depends on', () => {
  expect(compression(request('gzip')).Vary).toBe('Accept-Encoding')
  expect(compression(request(undefined), 'Accept-Language').Vary).toBe('Accept-Encoding, Accept-Language')
})
