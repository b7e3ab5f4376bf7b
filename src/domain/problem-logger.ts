/** Logs a failure that no client sees, because the work continues or the response hides it. */
export type ProblemLogger = (what: string, error: unknown) => void
