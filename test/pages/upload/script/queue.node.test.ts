import { expect, test } from 'vitest'
import { createQueue, type Outcome } from '../../../../src/pages/upload/script/queue.ts'

/**
 * A queue whose work begins and ends when the test says so. `log` lists the started work, in order, and the end of all.
 */
function scene(atATime: number) {
  const log: string[] = []
  const begin = new Map<string, () => void>()
  const end = new Map<string, (outcome: Outcome) => void>()
  const queue = createQueue<string>(
    atATime,
    (item, begun) => {
      log.push(item)
      begin.set(item, begun)
      return new Promise((resolve) => end.set(item, resolve))
    },
    () => log.push('idle'),
  )
  const finish = async (item: string, outcome: Outcome = 'over') => {
    end.get(item)?.(outcome)
    await Promise.resolve()
    await Promise.resolve()
  }
  return { queue, log, begin: (item: string) => begin.get(item)?.(), finish }
}

test('the next begins only when the one before it has begun', () => {
  const { queue, log, begin } = scene(3)
  queue.add(['a', 'b', 'c'])
  expect(log).toEqual(['a'])
  begin('a')
  expect(log).toEqual(['a', 'b'])
})

test('no more run at once than allowed, and the next starts when any ends', async () => {
  const { queue, log, begin, finish } = scene(3)
  queue.add(['a', 'b', 'c', 'd', 'e'])
  for (const item of ['a', 'b', 'c']) begin(item)
  expect(log).toEqual(['a', 'b', 'c'])
  await finish('b')
  expect(log).toEqual(['a', 'b', 'c', 'd'])
})

test('what ends without having begun lets the next begin', async () => {
  const { queue, log, finish } = scene(3)
  queue.add(['a', 'b'])
  await finish('a')
  expect(log).toEqual(['a', 'b'])
})

test('beginning twice lets one begin, not two', () => {
  const { queue, log, begin } = scene(3)
  queue.add(['a', 'b', 'c'])
  begin('a')
  begin('a')
  expect(log).toEqual(['a', 'b'])
})

test('it is idle once all is done, and once more after an addition', async () => {
  const { queue, log, begin, finish } = scene(2)
  queue.add(['a', 'b'])
  begin('a')
  await finish('a')
  expect(log).not.toContain('idle')
  await finish('b')
  expect(log).toEqual(['a', 'b', 'idle'])
  queue.add(['c'])
  await finish('c')
  expect(log).toEqual(['a', 'b', 'idle', 'c', 'idle'])
})

test('items that are added during the work come after it, before the queue is idle', async () => {
  const { queue, log, finish } = scene(1)
  queue.add(['a'])
  queue.add(['again'])
  await finish('a')
  await finish('again')
  expect(log).toEqual(['a', 'again', 'idle'])
})

test('an item can be withdrawn as long as its work has not begun', async () => {
  const { queue, log, finish } = scene(1)
  queue.add(['a', 'b'])
  expect([queue.withdraw('a'), queue.withdraw('b'), queue.withdraw('b')]).toEqual([false, true, false])
  await finish('a')
  expect(log).toEqual(['a', 'idle'])
})

test('clearing removes items that have not begun, and the others end by themselves', async () => {
  const { queue, log, finish } = scene(1)
  queue.add(['a', 'b', 'c'])
  queue.clear()
  await finish('a')
  expect(log).toEqual(['a', 'idle'])
})

test('repeated items are ahead of all that was added later, in whatever order they return', async () => {
  const { queue, log, begin, finish } = scene(3)
  queue.add(['a', 'b', 'c', 'd', 'e'])
  for (const item of ['a', 'b', 'c']) begin(item)
  queue.pause()
  await finish('c', 'again')
  await finish('a', 'again')
  await finish('b')
  expect(log).toEqual(['a', 'b', 'c'])
  queue.resume()
  for (const item of ['a', 'c', 'd']) begin(item)
  expect(log).toEqual(['a', 'b', 'c', 'a', 'c', 'd'])
})

test('a paused queue begins nothing, is not idle while something waits, and continues on request', async () => {
  const { queue, log, finish } = scene(2)
  queue.add(['a', 'b'])
  queue.pause()
  await finish('a', 'again')
  expect(log).toEqual(['a'])
  queue.resume()
  expect(log).toEqual(['a', 'a'])
  await finish('a')
  await finish('b')
  expect(log).toEqual(['a', 'a', 'b', 'idle'])
})
