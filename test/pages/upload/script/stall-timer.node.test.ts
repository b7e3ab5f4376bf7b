import { afterEach, expect, test, vi } from 'vitest'
import { readSharedForm } from '../../../../src/pages/upload/script/share/shared-form.ts'
import { StallTimer } from '../../../../src/pages/upload/script/share/stall-timer.ts'

const TIMEOUT_MS = 1000

afterEach(() => vi.useRealTimers())

test('work lasts as long as something progresses, and fails a timeout later', async () => {
  vi.useFakeTimers()
  const timer = new StallTimer(TIMEOUT_MS)
  let outcome = 'under way'
  const limited = timer.limit(new Promise(() => undefined)).catch(() => {
    outcome = 'stalled'
  })
  for (let chunk = 0; chunk < 5; chunk++) {
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS - 1)
    timer.progress()
  }
  expect(outcome).toBe('under way')
  await vi.advanceTimersByTimeAsync(TIMEOUT_MS)
  await limited
  expect(outcome).toBe('stalled')
})

test('work that ends leaves no timer', async () => {
  vi.useFakeTimers()
  const timer = new StallTimer(TIMEOUT_MS)
  expect(await timer.limit(Promise.resolve('done'))).toBe('done')
  await expect(timer.limit(Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  timer.progress()
  expect(vi.getTimerCount()).toBe(0)
})

test('a form whose body stalls ends its files with an error', async () => {
  const start = '--x\r\nContent-Disposition: form-data; name="img"; filename="a"\r\n\r\nno end'
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.enqueue(Uint8Array.from(Buffer.from(start))),
  })
  const headers = new Headers({ 'Content-Type': 'multipart/form-data; boundary=x' })
  const timer = new StallTimer(1)
  const files: string[] = []
  const read = readSharedForm({ body: timer.watch(body), headers }, 'img', async ({ content }) => {
    files.push(
      await new Response(content).text().then(
        () => 'read',
        () => 'broken',
      ),
    )
  })
  await expect(timer.limit(read)).rejects.toThrow('nothing has progressed')
  await expect(read).rejects.toThrow()
  expect(files).toEqual(['broken'])
})

test('a body that never ends is not waited for once its form is read', async () => {
  const form = '--x\r\nContent-Disposition: form-data; name="img"; filename="a"\r\n\r\nwhole\r\n--x--\r\n'
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.enqueue(Uint8Array.from(Buffer.from(form))),
    cancel: () => new Promise(() => undefined),
  })
  const headers = new Headers({ 'Content-Type': 'multipart/form-data; boundary=x' })
  const files: string[] = []
  await readSharedForm({ body, headers }, 'img', async ({ content }) => {
    files.push(await new Response(content).text())
  })
  expect(files).toEqual(['whole'])
})
