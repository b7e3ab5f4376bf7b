/** The host of the script and the frame of Cloudflare Turnstile. */
export const TURNSTILE_HOST = 'challenges.cloudflare.com'
