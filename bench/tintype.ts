export { encodeWebp } from '../src/image/codecs.ts'
export { probe } from '../src/image/probe.ts'
