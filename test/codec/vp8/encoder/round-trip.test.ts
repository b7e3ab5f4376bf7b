import assert from 'node:assert/strict'
import { OK } from '../../status.ts'
import { decodeYuv, newDecoder } from '../decoder/decoder.ts'
import { vp8Frame } from '../decoder/webp-container.ts'
import { testRoundTrips } from './round-trip.ts'

const decoder = newDecoder()

testRoundTrips((file, { filtered }) => {
  const frame = vp8Frame(file)
  assert.ok(frame)
  const { status, samples } = decodeYuv(decoder, frame, filtered)
  assert.equal(status, OK)
  return samples
})
