import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that wait for minutes or rate limits most of their time: begun first, beside those that need the processor. */
const WAITING = ['contract/over-time', 'cli/status', 'cli/retries']

/**
 * One worker takes all files of `unit`, if others are busy when it is its turn: each starts a workerd. Those of `codec` are
 * short, and fill the end.
 */
const PROJECTS = ['unit', 'unit-node', 'contract', 'browser', 'clients', 'cli', 'codec']

/** Files that keep a processor busy for long. A first run knows no times, and would go by the size of the files. */
const LONG = [
  'interleavings/interleavings',
  'faults/faults',
  'faults/shard-faults',
  'faults/cron-faults',
  'pixels/live-memory',
  'pixels/avif-memory',
  'pixels/avif-corpus',
  'pixels/join-memory',
  'pixels/join',
  'conformance',
  'deploy/deploy.node',
  'contract/corpus',
  'contract/running',
  'contract/moderate',
  'contract/large-pictures',
  'contract/rehearse',
  'contract/powercut',
  'browser/accessibility',
  'browser/gallery-page',
  'clients/gallery-dl',
  'cli/upload',
]

/** The order that leaves no processor idle at the end: what waits, then project after project, in each the longest file first. */
export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}

function rank({ moduleId, project }: TestSpecification): number {
  const indexIn = (list: readonly string[]) => list.findIndex((file) => moduleId.endsWith(`/${file}.test.ts`))
  const waiting = indexIn(WAITING)
  if (waiting >= 0) return waiting
  return WAITING.length + 2 * PROJECTS.indexOf(project.name) + Number(indexIn(LONG) < 0)
}
