import { expect, test } from 'vitest'
import { clientKey } from '../../../src/http/limits/client-address.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002:ffff::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8:0:0:1::', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  [undefined, 'none'],
  ['', 'none'],
])('the rate of %o is counted under %s (D24)', (address, key) => {
  const headers = address === undefined ? {} : { 'CF-Connecting-IP': address }
  expect(clientKey(new Request('https://one.example', { headers }))).toBe(key)
})
