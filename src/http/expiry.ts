import { type ExpiryRules, parseExpiryRules } from '../domain/settings/expiry-rules.ts'
import type { IntegerRow } from '../forms.ts'
import { EXPIRY_MAX_S } from '../limits.ts'
import type { AppContext } from './context.ts'
import { settingReader } from './setting-reader.ts'

const readRules = settingReader({
  parse: parseExpiryRules,
  otherwise: { maxS: EXPIRY_MAX_S, defaultS: undefined },
  problem: 'content expires only where clients ask for it',
})

/** Returns the operator's rules of expiry. */
export function expiryRulesOf({ env, var: { logProblem } }: AppContext): ExpiryRules {
  const { MAX_EXPIRY = '', DEFAULT_EXPIRY = '' } = env
  return readRules({ MAX_EXPIRY, DEFAULT_EXPIRY }, logProblem)
}

/** Returns the rows of a form with the operator's maximum, which a refusal names. */
export function withMaximum<FormRows extends { expires_in: IntegerRow }>(
  { maxS }: ExpiryRules,
  rows: FormRows,
): FormRows & { expires_in: IntegerRow } {
  return { ...rows, expires_in: { ...rows.expires_in, max: maxS } }
}
