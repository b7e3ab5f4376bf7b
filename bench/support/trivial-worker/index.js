// What a Worker costs that does nothing, for bench/api.mjs: it is served as the service is.
export default {
  fetch: () => new Response('ok'),
  scheduled() {},
}

/** The binding of the service's limiter wants a class. */
export class RateLimiter {}
