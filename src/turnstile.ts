/** Where a service asks about a token: https://developers.cloudflare.com/turnstile/get-started/server-side-validation/ */
export const SITEVERIFY_URL = 'https://challenges.cloudflare.com/turnstile/v0/siteverify'

/** Also of the script and the frame: https://developers.cloudflare.com/turnstile/reference/content-security-policy/ */
export const { host: TURNSTILE_HOST, origin: TURNSTILE_ORIGIN } = new URL(SITEVERIFY_URL)
