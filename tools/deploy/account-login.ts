// The token by which commands call Cloudflare's API: the operator's own, or that of wrangler's login. It is never printed.
import { spawnSync } from 'node:child_process'
import { z } from 'zod'
import { fail, nodeBinary, toolEnvironment, WRANGLER } from '../install/installed.mjs'
import { parseAs } from '../shared/json.ts'
import { runTool } from '../shared/processes.ts'

/** Returns the token of CLOUDFLARE_API_TOKEN, or that of a login. */
export function accountToken() {
  const { CLOUDFLARE_API_TOKEN: token } = process.env
  if (token) return token
  const present = loginToken()
  if (present !== undefined) return present
  runTool('wrangler', ['login'])
  return loginToken() ?? fail('log in by "npx wrangler login", or set CLOUDFLARE_API_TOKEN')
}

/** The output of `wrangler auth token --json`. */
const LOGIN = z.object({ token: z.string() })

/** Returns the token of the login that wrangler keeps. */
function loginToken(): string | undefined {
  const { status, stdout } = spawnSync(nodeBinary(), [WRANGLER, 'auth', 'token', '--json'], {
    env: toolEnvironment(),
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return status === 0 ? parseAs(LOGIN, String(stdout)).token : undefined
}
