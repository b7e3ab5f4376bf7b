// Findings of the checks before a deployment.

/** The result of a check. `wrong` stops the deployment. `later` does not: it can be done afterwards. `unknown` could not be checked. */
export type State = 'ok' | 'wrong' | 'later' | 'unknown'
export interface Finding {
  check: string
  state: State
  text: string
}

/** Returns the lines that show findings, those that stop the deployment last. */
export function linesOf(findings: readonly Finding[]) {
  const WORDS = { ok: 'ok', unknown: 'not checked', later: 'to do', wrong: 'WRONG' }
  const order = Object.keys(WORDS)
  return findings
    .toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state))
    .map(({ check, state, text }) => `  ${WORDS[state].padEnd(11)} ${check.padEnd(11)} ${text}`)
}
