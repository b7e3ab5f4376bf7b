import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { finderOf, noteTokens, refuseTokensIn } from './contract/support/issued-tokens.ts'

/** The search for tokens after every run must find tokens. */
const tokens = Array.from({ length: 3000 }, () => randomBytes(32).toString('base64url'))
const [token = '', other = ''] = tokens.slice(-2)
const find = finderOf(new Set(tokens))
const noise = () => randomBytes(100_000)
const percentEncoded = [...token].map((character) => `%${character.charCodeAt(0).toString(16)}`).join('')

describe('finds a token among other bytes', () => {
  test.each([
    ['in clear', Buffer.from(token)],
    ['in clear', Buffer.from(`/manage/${token}/delete`)],
    ['in clear', Buffer.from(`${'A'.repeat(99)}${token}B`)],
    ['percent-encoded', Buffer.from(percentEncoded)],
    [
      'percent-encoded',
      Buffer.from(`x%2Fmanage%2F${token.slice(0, 20)}%${token.charCodeAt(20).toString(16)}${token.slice(21)}`),
    ],
    ['as its 32 bytes', Buffer.from(token, 'base64url')],
    [
      'as its 32 bytes',
      Buffer.concat([Buffer.from(token, 'base64url').subarray(0, 31), Buffer.from(token, 'base64url')]),
    ],
  ])('%s', (how, planted) => {
    for (const bytes of [planted, Buffer.concat([noise(), Buffer.from('"'), planted, Buffer.from('"'), noise()])]) {
      const found = find(bytes)
      expect(found?.how).toBe(how)
      const context = bytes.subarray(found?.at, (found?.at ?? 0) + 400)
      expect(context.includes(token.slice(0, 4)) || context.includes(planted.subarray(0, 3))).toBe(true)
    }
  })
})

test('finds no token where there is none', () => {
  const almost = [token.slice(0, 42), ` ${token.slice(1)}`, token.toLowerCase(), token.slice(0, 20) + other.slice(20)]
  expect([Buffer.alloc(0), ...almost.map((text) => Buffer.from(text)), noise()].map(find)).toEqual(
    Array(6).fill(undefined),
  )
})

test('rejects a header with an issued token, without printing the token', () => {
  refuseTokensIn({ location: `/manage/${token}` })
  noteTokens(`{"manage_url":"https://one.example/manage/${token}"}`)
  expect(() => refuseTokensIn({ link: `<https://one.example/manage/${token}>` })).toThrow(
    /^the header link of an answer holds a token that the service issued$/,
  )
  refuseTokensIn({ link: `<https://one.example/manage/${other}>` })
})
