import { probe } from 'tintype-codec/interface'
import { isOwnPreview } from '../../../src/domain/content/preview.ts'
import { makeFiles } from '../../../src/image/thumbnail.ts'
import { PREVIEW_MAX_EDGE_PX, STATUS_MAX_URLS } from '../../../src/limits.ts'
import { inParallel } from '../../contract/support/in-parallel.ts'
import { PIXEL_GIF, rows } from '../../domain/store.ts'
import { auditFiles } from '../../domain/stored.ts'
import { type Ask, ORIGIN } from './struck-service.ts'

/**
 * The state that an image must have: `maybe` if it is unknown, because its client got no response. An `expiring` one is available until
 * its time is over, long before the end.
 */
export type Expected = 'available' | 'pending' | 'deleted' | 'expiring' | 'maybe'

/** The state of an image now. */
type State = 'available' | 'pending' | 'deleted' | 'expired'

/** The acknowledged facts of one image, whose name is unique. */
export interface KnownImage {
  name: string
  /** The flow that it belongs to. */
  label: string
  /** `<dir>/<id>_<name>`; undefined until a response contains it. */
  path: string | undefined
  original: Uint8Array
  thumbnail: Uint8Array
  /** Absent where the original is the preview. */
  preview: Uint8Array | undefined
  expected: Expected
}

/** In a GIF. */
const CANVAS_WIDTH_OFFSET = 6

let made = 0

/** Returns a number that no other flow of this run has. */
export function freshNumber(): number {
  return ++made
}

/** Returns a GIF of one pixel, with a different colour for each number. On a wide canvas it needs a preview. */
export function gifOf(number: number, { isWide = false } = {}): Uint8Array<ArrayBuffer> {
  const bytes = PIXEL_GIF.slice()
  if (isWide) new DataView(bytes.buffer).setUint16(CANVAS_WIDTH_OFFSET, PREVIEW_MAX_EDGE_PX + 1, true)
  bytes.set([(number >> 16) & 255, (number >> 8) & 255, number & 255], 13)
  return bytes
}

/** The acknowledged requests, and the facts that must therefore hold. */
export class Ledger {
  readonly #images: Map<string, KnownImage>
  readonly #problems: string[]
  readonly #label: string

  constructor(label = '', shared = { images: new Map<string, KnownImage>(), problems: [] as string[] }) {
    this.#label = label
    this.#images = shared.images
    this.#problems = shared.problems
  }

  /** Returns the same ledger, which marks new entries with this label. */
  labelled(label: string): Ledger {
    return new Ledger(label, { images: this.#images, problems: this.#problems })
  }

  problem(what: string): void {
    this.#problems.push(`${this.#label}: ${what}`)
  }

  async expectImage(name: string, original: Uint8Array, path: string | undefined, expected: Expected): Promise<void> {
    this.#images.set(name, { name, label: this.#label, original, ...(await filesOf(original)), path, expected })
  }

  /** Changes the expected state of an image. */
  expect(name: string, expected: Expected): void {
    const known = this.#images.get(name)
    if (known) known.expected = expected
  }

  /** Returns sentences about the facts that do not hold now. At the end no work may be due any more. */
  async audit(ask: Ask, offsetMs: number, isEnd: boolean): Promise<string[]> {
    const problems = this.#problems.splice(0)
    const told = [...this.#images.values()].flatMap((known) => whatIsTold(known, isEnd))
    problems.push(...(await auditStatuses(ask, told, offsetMs)))
    problems.push(...(await inParallel(told, 16, (one) => auditFilesOf(ask, one, offsetMs))).flat())
    problems.push(...(await auditRecords(this.#images)))
    problems.push(...(await auditFiles(isEnd)))
    return problems
  }
}

async function filesOf(bytes: Uint8Array): Promise<Pick<KnownImage, 'thumbnail' | 'preview'>> {
  const facts = probe(bytes)
  if (!facts) throw new Error('the flow sends something that is no picture')
  const image = { bytes, facts }
  const made = await makeFiles(image, { maxThumbnailSizePx: 200, preview: !isOwnPreview(image) })
  return { thumbnail: made.thumbnail.bytes, preview: made.preview?.bytes }
}

interface Told extends Omit<KnownImage, 'expected'> {
  path: string
  expected: State
}

/** Returns an image of known state as it must be now. At the end all galleries are finalized. */
function whatIsTold({ path, expected, ...known }: KnownImage, isEnd: boolean): Told[] {
  if (path === undefined || expected === 'maybe') return []
  return [{ ...known, path, expected: stateOf(expected, isEnd) }]
}

function stateOf(expected: Exclude<Expected, 'maybe'>, isEnd: boolean): State {
  if (expected === 'expiring') return isEnd ? 'expired' : 'available'
  return isEnd && expected === 'pending' ? 'available' : expected
}

/** Expects the status of every image to be right. */
async function auditStatuses(ask: Ask, told: readonly Told[], offsetMs: number): Promise<string[]> {
  const problems: string[] = []
  for (let at = 0; at < told.length; at += STATUS_MAX_URLS) {
    const some = told.slice(at, at + STATUS_MAX_URLS)
    const { bytes } = await ask(
      '/images/status',
      {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ urls: some.map(({ path }) => `${ORIGIN}/show/${path}`) }),
      },
      offsetMs,
    )
    const found = [...new TextDecoder().decode(bytes).matchAll(/"status":"(\w+)"/g)].map(([, status]) => status)
    for (const [index, { label, expected }] of some.entries()) {
      const status = expected === 'expired' ? 'deleted' : expected
      if (found[index] !== status) problems.push(`${label}: its picture is ${found[index]}, not ${status}`)
    }
  }
  return problems
}

/**
 * Expects an acknowledged image to be served byte for byte, a deleted one to be missing, an expired one to be gone, and a pending one
 * not to be public.
 */
async function auditFilesOf(ask: Ask, { label, path, original, thumbnail, preview, expected }: Told, offsetMs: number) {
  const problems: string[] = []
  for (const [kind, bytes] of Object.entries({
    images: original,
    thumbs: thumbnail,
    ...(preview && { previews: preview }),
  })) {
    const file = await ask(`/${kind}/${path}`, {}, offsetMs)
    const isRight =
      expected === 'available'
        ? file.status === 200 && isSame(file.bytes, bytes)
        : file.status === (expected === 'expired' ? 410 : 404)
    if (!isRight)
      problems.push(`${label}: /${kind}/${path} (${expected}) is ${file.status}, ${file.bytes.length} bytes`)
  }
  return problems
}

/** Expects no record of an upload that failed, and only one record of each image. */
async function auditRecords(images: ReadonlyMap<string, KnownImage>): Promise<string[]> {
  const recorded = await rows('SELECT name, count(*) AS times FROM images WHERE path_digest IS NULL GROUP BY name')
  return recorded.flatMap(({ name, times }) => {
    const known = images.get(String(name))
    if (!known) return [`${name} was reported as failed, and has a record`]
    return times === 1 ? [] : [`${name} has ${times} records`]
  })
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at])
}
