import { DurableObject } from 'cloudflare:workers'
export class RateLimiter extends DurableObject {}
export default { fetch: () => new Response('ok') }
