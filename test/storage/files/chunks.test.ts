import { expect, test } from 'vitest'
import { chunksOf } from '../../../src/storage/files/chunks.ts'

const BYTES = Uint8Array.from({ length: 150_000 }, (_, at) => at % 251)

/** Returns a body like that of a file in S3, because workerd cannot pipe one stream of fixed length into another. */
function bodyOfFixedLength(): ReadableStream<Uint8Array> {
  const { readable, writable } = new FixedLengthStream(BYTES.length)
  const writer = writable.getWriter()
  writer
    .write(BYTES)
    .then(() => writer.close())
    .catch(() => undefined)
  return readable
}

test.for([
  ['of fixed length', bodyOfFixedLength],
  ['of a response', () => new Response(BYTES).body],
] as const)('a stream %s is read in chunks, which can be written to another', async ([, open]) => {
  const body = open()
  if (!body) throw new Error('no body')
  const { readable, writable } = new FixedLengthStream(BYTES.length)
  const writer = writable.getWriter()
  const whole = new Response(readable).bytes()
  for await (const chunk of chunksOf(body)) {
    expect(chunk.length).toBeLessThanOrEqual(65_536)
    await writer.write(chunk)
  }
  await writer.close()
  expect(await whole).toEqual(BYTES)
})

test('a stream whose reader leaves early is cancelled', async () => {
  const { readable, writable } = new FixedLengthStream(BYTES.length)
  const writer = writable.getWriter()
  const written = expect(writer.write(BYTES)).rejects.toThrow()
  for await (const chunk of chunksOf(readable)) {
    expect(chunk.length).toBeGreaterThan(0)
    break
  }
  await written
})
