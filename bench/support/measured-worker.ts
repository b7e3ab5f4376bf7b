// The service's Worker, which can be asked for the memory of its codecs: by bench/support/inspector.ts, and by no request.
import './counted-instances.ts'

export { default, RateLimiter } from '../../src/index.ts'
