import { dwebp } from './libwebp.ts'
import { testRoundTrips } from './round-trip.ts'

testRoundTrips((file, { filtered }) => dwebp(file, ...(filtered ? [] : ['-nofilter'])))
