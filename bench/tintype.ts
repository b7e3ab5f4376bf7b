export { probe } from '../codec/src/interface.ts'
export { encodeWebp } from '../test/image/encode.ts'
