import { expect } from 'vitest'
import { Status } from '../../../../src/codec/status.ts'
import { decodeYuv, newDecoder } from '../decoder/decoder.ts'
import { vp8Frame } from '../decoder/webp-container.ts'
import { testRoundTrips } from './round-trip.ts'

const decoder = newDecoder()

testRoundTrips((file, { filtered }) => {
  const frame = vp8Frame(file) ?? expect.fail('no VP8 chunk')
  const { status, samples } = decodeYuv(decoder, frame, filtered)
  expect(status).toBe(Status.Ok)
  return samples
})
