import { expect, test } from 'vitest'
import { securityTxt } from '../../src/integrations/security-txt.ts'

const NOON = Date.UTC(2026, 10, 21, 12)

test.for([
  [undefined, ['mailto:security@pictures.test']],
  ['', ['mailto:security@pictures.test']],
  ['help@a.example', ['mailto:help@a.example']],
  ['mailto:help@a.example', ['mailto:help@a.example']],
  ['https://a.example/security', ['https://a.example/security']],
  [' help@a.example , tel:+49-30-123456', ['mailto:help@a.example', 'tel:+49-30-123456']],
] as const)('SECURITY_CONTACT %j', ([contacts, expected]) => {
  const text = securityTxt('https://pictures.test', contacts, NOON)
  expect([...text.matchAll(/^Contact: (.*)$/gm)].map(([, contact]) => contact)).toEqual(expected)
})

test('on this machine the mailbox is at the host, without its port', () => {
  expect(securityTxt('http://localhost:8787', undefined, NOON)).toContain('Contact: mailto:security@localhost\n')
})

test('it expires in 180 days, and is the same text all day', () => {
  const at = (nowMs: number) => securityTxt('https://pictures.test', undefined, nowMs)
  expect(at(NOON)).toContain('\nExpires: 2027-05-20T00:00:00.000Z\n')
  expect(at(Date.UTC(2026, 10, 21))).toBe(at(Date.UTC(2026, 10, 22) - 1))
  expect(at(Date.UTC(2026, 10, 22))).not.toBe(at(NOON))
})
