import type { ProblemLogger } from '../domain/problem-logger.ts'

/** Parser of a setting, and its fallback. */
interface Reading<Setting, Value> {
  /** Throws where the setting cannot be read. */
  parse: (setting: Setting) => Value
  /** The value used then. */
  otherwise: Value
  /** And what the log says of it. */
  problem: string
}

/**
 * Returns a function that parses a setting of the environment, one text or several, once for as long as it stays the
 * same. If it is invalid, each isolate logs one line.
 */
export function settingReader<Setting, Value>({ parse, otherwise, problem }: Reading<Setting, Value>) {
  let read: { written: string; value: Value } | undefined
  return (setting: Setting, logProblem: ProblemLogger): Value => {
    const written = JSON.stringify(setting)
    if (read?.written === written) return read.value
    read = { written, value: otherwise }
    try {
      read.value = parse(setting)
    } catch (error) {
      logProblem(problem, error)
    }
    return read.value
  }
}
