export { codec } from '../src/image/codec.ts'
