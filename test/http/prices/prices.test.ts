import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { ENDPOINTS } from '../../../src/app.ts'
import * as routes from '../../../src/routes.ts'
import { beat } from '../../../src/storage/maintenance/heartbeat.ts'
import { emptyStore, shard } from '../../domain/store.ts'
import { CASES } from './cases.ts'
import { isDear, PRICES, type PriceOfCase, priceOf } from './price-list.ts'
import { ask, type Bill, billGlobals } from './priced-service.ts'

const NAMES = ['cheapest', 'usual', 'worst'] as const

beforeAll(billGlobals)
afterAll(() => vi.unstubAllGlobals())

afterEach(() => {
  vi.useRealTimers()
})

beforeEach(async () => {
  await emptyStore()
  // Replicas are up to date, as the cron leaves them.
  await beat(shard, Date.now())
})

test('every endpoint of every route has a price', () => {
  const listed = Object.keys(PRICES)
  expect(listed.toSorted()).toEqual([...new Set(ENDPOINTS)].toSorted())
  expect(Object.keys(CASES)).toEqual(listed)
  const paths = Object.values(routes).filter((route) => typeof route === 'string' && route !== routes.OPERATOR_PREFIX)
  expect([...new Set(listed.map((endpoint) => endpoint.split(' ')[1]))].toSorted()).toEqual(paths.toSorted())
})

describe.each(Object.keys(PRICES))('%s', (endpoint) => {
  test.each(NAMES)('costs no more than its price: %s', async (name) => {
    const prepare = CASES[endpoint]?.[name]
    if (!prepare) throw new Error('there is no such case')
    const { bill } = await ask(await prepare())
    const price = priceOf(endpoint, name)
    expect(exceeded(bill, price)).toEqual([])
    // A price that is far too high would prove nothing.
    expect(overstated(bill, price)).toEqual([])
    expect(bill.limits.filter((limit) => name === 'worst' && !price.limits.includes(limit))).toEqual([])
    expect(price.limits.filter((limit) => name === 'worst' && !bill.limits.includes(limit))).toEqual([])
  })

  test('is limited if it is expensive', () => {
    const { limits = [], boundedBy } = PRICES[endpoint] ?? {}
    const isOperators = endpoint.includes(` ${routes.OPERATOR_PREFIX}`)
    expect(!isDear(endpoint) || isOperators || limits.length > 0 || boundedBy !== undefined).toBe(true)
  })
})

const COLUMNS = ['queries', 'rowsWritten', 'files', 'objects', 'cache', 'assets', 'outside'] as const

function exceeded(bill: Bill, price: PriceOfCase): string[] {
  const calls = COLUMNS.filter((column) => bill[column] > price[column]).map(
    (column) => `${column}: ${bill[column]}, of ${price[column]}`,
  )
  const ratio = bill.sentBytes / bill.receivedBytes
  return ratio > price.sentPerReceived ? [...calls, `bytes: ${ratio} sent for each received`] : calls
}

function overstated(bill: Bill, price: PriceOfCase): string[] {
  const calls = COLUMNS.filter((column) => bill[column] < price[column] * 0.9)
  const ratio = bill.sentBytes / bill.receivedBytes
  return ratio < price.sentPerReceived / 100 ? [...calls, 'bytes'] : calls
}
