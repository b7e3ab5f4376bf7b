import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { listCorpus } from '../support/corpus.ts'
import { below, mutated, pick, type Random, seededRandom } from '../support/random.ts'
import { sharedApi } from './support/api.ts'
import { inParallel } from './support/in-parallel.ts'
import { type Fields, file } from './support/multipart-body.ts'
import { SMALL_PNG, statusOf, uploadImage } from './support/steps.ts'

const api = sharedApi()
/** The number of mutated files. `npm run tintype -- hostile` sets it, and with it the whole corpus is sent. */
const MUTATED = Number(process.env.HOSTILE_FILES ?? 200)
const IS_LONG = process.env.HOSTILE_FILES !== undefined
/** By default, one file in this many is sent. */
const EACH = IS_LONG ? 1 : 41
const BATCH = 100
const AT_ONCE = 4
/** Maximum time of an upload in long runs, in which nothing else keeps the machine busy. */
const HANGING_MS = 5000
const seed = Number(process.env.TINTYPE_SEED ?? Math.floor(Math.random() * 2 ** 31))

const FIXTURES = join(import.meta.dirname, '../fixtures')
const fixtures = readdirSync(FIXTURES, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => ({
    path: join(entry.parentPath, entry.name),
    read: () => readFileSync(join(entry.parentPath, entry.name)),
  }))
const sources = [...fixtures, ...listCorpus()].map(({ path, read }) => ({ path, read: () => Buffer.from(read()) }))

/** Uses of a file in a request: alone, or as either half of a cover beside a good one. */
const FIELDS: Record<string, (hostile: Buffer) => { path: string; fields: Fields }> = {
  'an image': (hostile) => ({ path: '/images', fields: { img: file('h', hostile) } }),
  'a left half': (hostile) => ({
    path: '/covers',
    fields: { img_left: file('h', hostile), img_right: file('g', SMALL_PNG) },
  }),
  'a right half': (hostile) => ({
    path: '/covers',
    fields: { img_left: file('g', SMALL_PNG), img_right: file('h', hostile) },
  }),
}

interface Hostile {
  what: string
  field: string
  optimize: '0' | '1'
  read: () => Buffer
}

/** Returns every file in every field, with and without optimization, or a sample of these. */
function wholeFiles(): Hostile[] {
  const all = sources.flatMap(({ path, read }) =>
    Object.keys(FIELDS).flatMap((field) =>
      (['0', '1'] as const).map((optimize) => ({ what: path, field, optimize, read })),
    ),
  )
  return all.filter((_, at) => at % EACH === 0)
}

function mutatedFiles(random: Random): Hostile[] {
  return Array.from({ length: MUTATED }, (_, at) => {
    const { path, read } = pick(sources, random)
    const own = seededRandom(below(2 ** 31, random))
    const field = pick(Object.keys(FIELDS), random)
    const optimize = pick(['0', '1'] as const, random)
    return { what: `${path}, mutation ${at}`, field, optimize, read: () => mutated(read(), own) }
  })
}

/** Files that took long beside others. They are sent once more, alone. */
let slow: Hostile[] = []

/** Sends a file. Returns sentences about the faults of the response. */
async function complaint(hostile: Hostile, isAlone = false): Promise<string[]> {
  const { what, field, optimize, read } = hostile
  const { path, fields } = FIELDS[field]?.(read()) ?? expect.fail(field)
  const begunMs = performance.now()
  const { status, text, headers } = await api.postMultipart(path, {
    ...fields,
    content_type: '0',
    optimize_for_web: optimize,
  })
  const tookMs = performance.now() - begunMs
  slowestMs = Math.max(slowestMs, tookMs)
  counts.set(status, (counts.get(status) ?? 0) + 1)
  const told = `${what} as ${field} (optimize_for_web=${optimize})`
  if (status >= 500 && !(status === 503 && headers['retry-after'])) return [`${told}: ${status} ${text}`]
  if (!IS_LONG || tookMs <= HANGING_MS) return []
  if (isAlone) return [`${told}: ${Math.round(tookMs)} ms`]
  slow.push(hostile)
  return []
}

let slowestMs = 0
const counts = new Map<number, number>()

async function sendAll(all: readonly Hostile[]): Promise<void> {
  for (let at = 0; at < all.length; at += BATCH) {
    const complaints = await inParallel(all.slice(at, at + BATCH), AT_ONCE, (one) => complaint(one))
    for (const one of slow) complaints.push(await complaint(one, true))
    slow = []
    expect(complaints.flat()).toEqual([])
    const { showUrl } = await uploadImage(api)
    expect(await statusOf(api, showUrl), `a good picture after ${at + BATCH}`).toBe('available')
  }
  const told = [...counts].sort(([one], [other]) => one - other).map(([status, times]) => `${status}: ${times}`)
  console.info(
    `${all.length} hostile files so far, with the statuses ${told.join(', ')}; the slowest took ${Math.round(slowestMs)} ms`,
  )
}

describe('hostile files cause no 5xx except 503, and a good image is accepted after them', () => {
  test('broken and strange files, as an image and as either half of a cover', () => sendAll(wholeFiles()))

  test(`${MUTATED} mutated files (seed ${seed})`, () => sendAll(mutatedFiles(seededRandom(seed))))
})
