import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that mostly wait for minutes or rate limits. They start first, beside files that need the processor. */
const WAITING = ['contract/over-time', 'cli/status', 'cli/retries']

/** The files of `codec` are short, and fill the end. `unit` is a group of its own, after the others. */
const PROJECTS = ['unit', 'unit-node', 'contract', 'browser', 'clients', 'cli', 'codec']

/**
 * Files that need a processor for long, the longest of a suite first. Without them a first run, which has no measured times, would sort by
 * file size, and one of these would end long after all others.
 */
const LONG = [
  'interleavings/interleavings',
  'prices/prices',
  'shards/failing-shard',
  'faults/faults',
  'http/body/multipart',
  'domain/shards',
  'faults/shard-faults',
  'domain/content/expiry',
  'cache/read-cache',
  'content/gallery-order',
  'faults/cron-faults',
  'conformance',
  'deploy/deploy.node',
  'contract/running',
  'contract/moderate',
  'contract/large-images',
  'contract/rehearse',
  'contract/powercut',
  'contract/previews',
  'contract/web-optimization',
  'contract/corpus',
  'browser/accessibility',
  'browser/large-galleries',
  'browser/image-page',
  'browser/upload-sending',
  'browser/manage-page',
  'clients/gallery-dl',
  'cli/upload',
  'cli/download',
  'cli/mcp',
  'pixels/live-memory',
  'pixels/avif-memory',
  'pixels/avif-corpus',
  'pixels/join-memory',
  'pixels/avif-large-grids',
  'pixels/join',
  'pixels/avif-golden',
  'test/jpeg-outputs',
  'png/decoder/thumbnail',
  'jpeg/decoder/arithmetic',
  'png/decoder/robustness',
  'pixels/join-fuzz',
]

/** The files of both lists, by the ends of their paths. */
export const NAMED_FILES: readonly string[] = [...WAITING, ...LONG].map((file) => `/${file}.test.ts`)

/**
 * Sorts the files so that no processor is idle at the end: waiting files, then one project after another, the longest
 * file first.
 */
export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}

/** Ranks waiting files first, then those of each suite: long ones in the order of their list, then all others. */
function rank({ moduleId, project }: TestSpecification): number {
  const indexIn = (list: readonly string[]) => list.findIndex((file) => moduleId.endsWith(`/${file}.test.ts`))
  const waiting = indexIn(WAITING)
  if (waiting >= 0) return waiting
  const long = indexIn(LONG)
  const suite = PROJECTS.indexOf(project.name) * (LONG.length + 1)
  return WAITING.length + suite + (long < 0 ? LONG.length : long)
}
