export { encodeWebp } from '../codec/src/codecs.ts'
export { probe } from '../codec/src/probe.ts'
