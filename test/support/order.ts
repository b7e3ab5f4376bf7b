import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that mostly wait for minutes or rate limits. They start first, beside files that need the processor. */
const WAITING = ['contract/over-time', 'cli/status', 'cli/retries']

/** The files of `codec` are short, and fill the end. `unit` is a group of its own, after the others. */
const PROJECTS = ['unit', 'unit-node', 'contract', 'browser', 'clients', 'cli', 'codec']

/**
 * Files that need a processor for long. Without them a first run, which has no measured times, would sort by file size.
 */
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
  'contract/large-images',
  'contract/rehearse',
  'contract/powercut',
  'browser/accessibility',
  'browser/large-galleries',
  'clients/gallery-dl',
  'cli/upload',
]

/**
 * Sorts the files so that no processor is idle at the end: waiting files, then one project after another, the longest
 * file first.
 */
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
