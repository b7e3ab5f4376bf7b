export { probe } from 'tintype-codec/interface'
export { codec } from '../../src/image/codec.ts'
export { joinCover } from '../../src/image/cover.ts'
export { workOf } from '../../src/image/work.ts'
