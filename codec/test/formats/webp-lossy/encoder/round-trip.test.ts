import { expect } from 'vitest'
import { webpChunk } from '../../../../../test/support/webp.ts'
import { Status } from '../../../../assembly/status.ts'
import { decodeYuv, newDecoder } from '../decoder/decoder.ts'
import { testRoundTrips } from './round-trip.ts'

const decoder = newDecoder()

testRoundTrips((file, { filtered }) => {
  const frame = webpChunk(file, 'VP8 ') ?? expect.fail('no VP8 chunk')
  const { status, samples } = decodeYuv(decoder, frame, filtered)
  expect(status).toBe(Status.Ok)
  return samples
})
