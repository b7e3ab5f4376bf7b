import { imageStatuses } from '../../../src/domain/content/image-status.ts'
import { digestOf } from '../../../src/domain/ids/digest.ts'
import { imagePath } from '../../../src/domain/ids/links.ts'
import { maintain } from '../../../src/domain/maintenance/maintenance.ts'
import { STATUS_MAX_URLS, STORED_DIGEST_CHARACTERS } from '../../../src/limits.ts'
import type { Store } from '../../../src/storage/store.ts'
import { HOUR_MS } from '../../../src/units.ts'
import { type ContentStep, type ModelContent, maintained, statusOf } from '../content-model.ts'
import { explanations } from '../linearizability.ts'
import { rows } from '../store.ts'
import { auditFiles, isAllDone } from '../stored.ts'
import { modelName, type Subject } from './operations.ts'
import type { Trace } from './scheduler.ts'

/** A finished order, with its subject. */
export interface Done {
  subject: Subject
  trace: Trace
  /** The operations in the model, by actor. */
  steps: readonly ContentStep[]
}

/** Ticks after the last order: work that is due in an hour and in a day, and the recheck an hour after each. */
const TICKS_AFTER_MS = [3, 5, 30, 32, 56, 58].map((hours) => hours * HOUR_MS)
/** A tick sweeps 20 galleries. */
const MAX_TICKS = 60

/** Results of an order. */
export type Problems = Map<Done, string[]>

/**
 * Judges orders: the model must explain their responses and the stored content, and each file must have its record. The
 * same must hold after the cron of several days, when nothing may be due or incomplete.
 */
export async function judge(store: Store, orders: readonly Done[]): Promise<Problems> {
  const problems: Problems = new Map()
  const blame = (done: Done, what: string) => problems.set(done, [...(problems.get(done) ?? []), what])
  const byPrefix = new Map(orders.map((done) => [done.subject.prefix, done]))
  const blameNamed = (text: string) => {
    const named = byPrefix.get(/x\d+-/.exec(text)?.[0] ?? '')
    // A file without a name may belong to any of them.
    for (const done of named ? [named] : orders) blame(done, text)
  }

  const explained = new Map<Done, ModelContent[]>()
  const now = await readFacts()
  for (const done of orders) {
    for (const problem of done.subject.problems) blame(done, `a problem was logged: ${problem}`)
    if (new Set(done.subject.keyedResponses).size > 1) blame(done, 'one Idempotency-Key has two answers')
    const ends = endsOf(done)
    if (ends.length === 0) blame(done, 'no order of the operations explains the answers')
    const found = now.contentOf(done.subject)
    const fitting = ends.filter((end) => describe(end) === found)
    if (ends.length > 0 && fitting.length === 0) {
      blame(done, `stored is ${found}, the answers are explained by ${ends.map(describe).join(' or ')}`)
    }
    explained.set(done, fitting)
  }
  for (const problem of [...now.problems, ...(await auditFiles(false))]) blameNamed(problem)

  const latestMs = Math.max(...orders.map(({ subject }) => subject.startMs))
  for (const problem of await tickUntilDone(store, latestMs)) blameNamed(problem)
  const later = await readFacts()
  for (const problem of [...later.problems, ...(await auditFiles(true))]) blameNamed(problem)
  if (!(await isAllDone())) blameNamed('something is due still')
  for (const done of orders) {
    const found = later.contentOf(done.subject)
    const ends = (explained.get(done) ?? []).map(maintained)
    if (ends.length > 0 && !ends.some((end) => describe(end) === found)) {
      blame(done, `stored is ${found} days later, and not ${ends.map(describe).join(' or ')}`)
    }
    for (const problem of await tokenProblems(done.subject, ends, later)) blame(done, problem)
  }
  for (const [done, problem] of await statusProblems(store, orders, explained, latestMs)) blame(done, problem)
  return problems
}

/** Returns the states in which the model can end with these responses. */
function endsOf({ subject, trace, steps }: Done): ModelContent[] {
  return explanations(
    (actor: number, content: ModelContent) => steps[actor]?.(content) ?? [],
    trace.events,
    subject.start,
  )
}

async function tickUntilDone(store: Store, latestMs: number): Promise<string[]> {
  const problems: string[] = []
  const logProblem = (what: string, error: unknown) => void problems.push(`the cron: ${what}: ${error}`)
  for (const afterMs of TICKS_AFTER_MS) await maintain(store, latestMs + afterMs, logProblem)
  for (let tick = 0; tick < MAX_TICKS && !(await isAllDone()); tick++) {
    await maintain(store, latestMs + (TICKS_AFTER_MS.at(-1) ?? 0) + tick * HOUR_MS, logProblem)
  }
  return problems
}

interface Facts {
  contentOf: (subject: Subject) => string
  hasToken: (digest: string) => boolean
  isRevoked: (digest: string) => boolean
  problems: string[]
}

/** Reads all stored content in the form of the model. */
async function readFacts(): Promise<Facts> {
  const galleries = new Map((await rows('SELECT * FROM galleries')).map((row) => [row.hash, row]))
  const images = await rows(
    `SELECT images.*, galleries.hash FROM images LEFT JOIN galleries ON galleries.id = gallery_id
      ORDER BY coalesce(sort_anchor, images.id), coalesce(sort_rank, 0), images.id`,
  )
  const tokens = new Set((await rows('SELECT digest FROM management_tokens')).map(({ digest }) => digest))
  const revoked = new Set((await rows('SELECT digest FROM revoked_tokens')).map(({ digest }) => digest))
  const links = new Map(
    (
      await rows(
        'SELECT hash, digest, max_images, guest_links.image_count AS used, closed_at, deleted_at FROM guest_links JOIN galleries ON id = gallery_id',
      )
    ).map((row) => [row.hash, row]),
  )
  const orphans = [...links.values()].filter(({ deleted_at }) => deleted_at !== null)
  const counts = await rows(`
    SELECT hash, image_count, (SELECT count(*) FROM images
      WHERE gallery_id = galleries.id AND images.deleted_at IS NULL AND images.hidden_at IS NULL) AS shown
    FROM galleries WHERE image_count <> shown`)
  return {
    contentOf(subject) {
      const known = new Map([...subject.images].map(([name, { id }]) => [id, name]))
      const own = images.filter(
        ({ id, name, hash }) =>
          known.has(Number(id)) ||
          (subject.gallery !== undefined && hash === subject.gallery.access.hash) ||
          String(name).startsWith(subject.prefix),
      )
      const hash = subject.gallery?.access.hash ?? own.find((row) => row.hash !== null)?.hash
      const record = galleries.get(hash)
      const isShared = !subject.gallery
      const state = !record || record.deleted_at !== null ? 'deleted' : record.finalized_at === null ? 'open' : 'public'
      // A shared gallery belongs to nobody before its response.
      if (isShared && hash !== undefined && state !== 'public') return describe({ images: [] })
      const content: ModelContent = {
        images: own.map(({ id, name, hidden_at, deleted_at }, sequenceNumber) => ({
          name: known.get(Number(id)) ?? modelName(String(name)),
          sequenceNumber,
          isHidden: hidden_at !== null,
          isDeleted: deleted_at !== null,
        })),
      }
      if (hash !== undefined) {
        content.gallery = { state, name: String(record?.name ?? ''), isHidden: (record?.hidden_at ?? null) !== null }
      }
      const link = links.get(hash)
      if (link) {
        content.guestLink = {
          isFirst: link.digest === subject.guestDigest,
          isClosed: link.closed_at !== null,
          imagesLeft: Number(link.max_images) - Number(link.used),
        }
      }
      return describe(content)
    },
    hasToken: (digest) => tokens.has(digest),
    isRevoked: (digest) => revoked.has(digest.slice(0, STORED_DIGEST_CHARACTERS)),
    problems: [
      ...counts.map(({ hash, image_count, shown }) => `gallery ${hash} counts ${image_count} images of ${shown}`),
      ...orphans.map(({ hash }) => `the deleted gallery ${hash} has a guest link`),
    ],
  }
}

/** Describes the visible content, without deleted parts. */
function describe({ gallery, images, guestLink }: ModelContent): string {
  if (gallery?.state === 'deleted') return 'a deleted gallery'
  const shown = images
    .filter(({ isDeleted }) => !isDeleted)
    .sort((one, other) => one.sequenceNumber - other.sequenceNumber)
    .map(({ name, isHidden }) => (isHidden ? `${name} (hidden)` : name))
  const list = `[${shown.join(', ')}]`
  if (!gallery) return `images ${list}`
  return `${gallery.state} gallery "${gallery.name}"${gallery.isHidden ? ' (hidden)' : ''} of ${list}${guestLink ? `, ${describeLink(guestLink)}` : ''}`
}

function describeLink({ isFirst, isClosed, imagesLeft }: ModelContent['guestLink'] & object): string {
  return `${isClosed ? 'closed' : 'open'} ${isFirst ? 'first' : 'later'} guest link for ${imagesLeft} images`
}

/** Checks that tokens of existing content are valid, and those of deleted content revoked. */
async function tokenProblems(subject: Subject, ends: readonly ModelContent[], facts: Facts): Promise<string[]> {
  const problems: string[] = []
  const check = async (what: string, token: string | undefined, isDeleted: (end: ModelContent) => boolean) => {
    if (token === undefined || ends.length === 0) return
    const digest = await digestOf(token)
    const [good, revoked] = [facts.hasToken(digest), facts.isRevoked(digest)]
    // The token of deleted content that is not forgotten yet is invalid too, by its record.
    const isRight = ends.some((end) => (isDeleted(end) ? good !== revoked : good && !revoked))
    if (!isRight) problems.push(`the token of ${what} is ${good ? '' : 'not '}good and ${revoked ? '' : 'not '}revoked`)
  }
  const isGalleryDeleted = (end: ModelContent) => end.gallery?.state === 'deleted'
  await check('the gallery', subject.gallery?.token, isGalleryDeleted)
  for (const [name, { token }] of subject.images) {
    await check(name, token, (end) => end.images.some((image) => image.name === name && image.isDeleted))
  }
  return problems
}

/** Compares the status of each image with a known address with the model. */
async function statusProblems(
  store: Store,
  orders: readonly Done[],
  explained: ReadonlyMap<Done, ModelContent[]>,
  nowMs: number,
): Promise<[Done, string][]> {
  const asked = orders.flatMap((done) =>
    [...done.subject.images].map(([name, image]) => ({ done, name, url: { id: image.id, path: imagePath(image) } })),
  )
  const problems: [Done, string][] = []
  for (let at = 0; at < asked.length; at += STATUS_MAX_URLS) {
    const some = asked.slice(at, at + STATUS_MAX_URLS)
    const found = await imageStatuses(
      store,
      some.map(({ url }) => url),
      nowMs,
    )
    for (const [index, { done, name }] of some.entries()) {
      const expected = (explained.get(done) ?? []).map((end) => statusOf(maintained(end), name))
      // A keyed upload was stored under one of two addresses.
      const isOther = name === 'keyed'
      if (expected.length > 0 && !isOther && !expected.includes(found[index] ?? '')) {
        problems.push([done, `the status of ${name} is ${found[index]} days later, not ${expected.join(' or ')}`])
      }
    }
  }
  return problems
}
