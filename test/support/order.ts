import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that wait for minutes or rate limits most of their time: begun first, beside those that need the processor. */
const WAITING = ['contract/over-time', 'cli/status', 'contract/idempotency', 'cli/retries']

/** One worker takes all files of `unit`, if others are busy when it is its turn: each starts a workerd. */
const PROJECTS = ['unit', 'unit-node', 'contract', 'browser', 'codec', 'cli', 'clients']

/** The order that leaves no processor idle at the end: what waits, then project after project, in each the longest file first. */
export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}

function rank({ moduleId, project }: TestSpecification): number {
  const waiting = WAITING.findIndex((file) => moduleId.endsWith(`/${file}.test.ts`))
  return waiting >= 0 ? waiting : WAITING.length + PROJECTS.indexOf(project.name)
}
