/** Is told what failed that no client is told about; the work then goes on, or its request is answered. */
export type ProblemLogger = (what: string, error: unknown) => void
