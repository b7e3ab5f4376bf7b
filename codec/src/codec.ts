import { ROW_SLACK } from '../assembly/arena/row-slack.ts'
import { findColourProfile } from './colour-profile.ts'
import { fitInto } from './fit.ts'
import { type Size, uprightSize } from './format.ts'
import type { ImageFile } from './image-file.ts'
import type { Picture, SizedPicture } from './picture.ts'
import { type Core, requireOk, take, view } from './pixels/core.ts'
import { type Cores, createCores, type LoadModule } from './pixels/cores.ts'
import { decodeInto, decodeWhole, wholeSource } from './pixels/decode.ts'
import { decodeSteps } from './pixels/decode-steps.ts'
import { createGiveWay } from './pixels/give-way.ts'
import { join } from './pixels/join.ts'
import { type Raster, takeRaster } from './pixels/raster.ts'
import { extendWebp } from './pixels/webp-file.ts'
import { type AnyFacts, probe } from './probe.ts'
import { ImageRefusal } from './refusal.ts'
import { createTurns, type TurnRule, type TurnState } from './turns.ts'

/** A file, or one whose header was read already. */
export type Source = Uint8Array | Picture

/** The box that a picture is fitted into, upright and never enlarged; a side that is left out bounds nothing. */
export interface Box {
  width?: number
  height?: number
}

/** A WebP that is wanted of a picture. */
export interface WebpOptions extends Box {
  /** From 0 to 100: 80 of a thumbnail, 90 of all else where it is left out. */
  quality?: number
}

/** How a codec is to be. */
export interface CodecOptions {
  /** What its pictures may take in memory: 72 MiB at most, which is what it is where this is left out. */
  maxMemoryBytes?: number
  /** How many pictures may wait for their turn, and how long: one is decoded at a time. */
  turns?: TurnRule
}

/**
 * Makes pictures of pictures, a few rows at a time. Everything throws ImageRefusal: 'unreadable' for what cannot be decoded,
 * 'over_budget' for what takes more memory than it may, 'busy' where too many wait.
 */
export interface Codec {
  /** A small WebP of the first frame: upright, alpha kept, with the colour profile where its colours need one. */
  thumbnail(source: Source, options: WebpOptions): Promise<ImageFile>
  /** The same for a large one, of better quality. */
  resize(source: Source, options?: WebpOptions): Promise<ImageFile>
  /** Several WebPs, in the order in which they are wanted. */
  outputs(source: Source, wanted: readonly WebpOptions[]): Promise<ImageFile[]>
  /** The pixels of the first frame, upright: RGBA, colours not multiplied by alpha. All of them are in memory. */
  pixels(source: Source, box?: Box): Promise<Raster>
  /** The same, a chunk for each row, from the top. The codec is held until the stream has ended or was cancelled. */
  rows(source: Source, box?: Box): ReadableStream<Uint8Array>
  /** Two first frames of one height side by side, without a gap: a PNG, or a JPEG of quality 90. */
  join(left: SizedPicture, right: SizedPicture, format: 'jpeg' | 'png'): Promise<ImageFile>
  /** The memory of all its instances of the module, and the most that it has been, in bytes. */
  memory(): { liveBytes: number; peakBytes: number }
  /** How many pictures wait, how many jobs have ended, and how long they took. */
  queue(): TurnState
  /** Drops what is kept for the next picture. */
  release(): void
}

const THUMBNAIL_QUALITY = 80
const RESIZED_QUALITY = 90

/** Any number may wait, for minutes: who uses the codec alone need not bound it. */
const PATIENT: TurnRule = { maxWaiting: Number.POSITIVE_INFINITY, waitMs: 600_000, jobMaxMs: 600_000, lostMs: 60_000 }

/** Makes a codec of the module. One of 72 MiB is enough for pictures of 100 megapixels. */
export function createCodecOf(load: LoadModule, { maxMemoryBytes, turns = PATIENT }: CodecOptions = {}): Codec {
  const cores = createCores(load, maxMemoryBytes)
  /** One picture at a time, so that no more than one is in memory. */
  const inTurn = createTurns(turns, {
    nowMs: () => Date.now(),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  })

  async function webp(source: Source, { quality, ...box }: WebpOptions, standard: number): Promise<ImageFile> {
    const picture = pictureOf(source)
    return inTurn(() => toWebp(cores, picture, sizeIn(picture, box), quality ?? standard), picture.isGone)
  }

  return {
    thumbnail: (source, options) => webp(source, options, THUMBNAIL_QUALITY),
    resize: (source, options = {}) => webp(source, options, RESIZED_QUALITY),

    async outputs(source, wanted) {
      const picture = pictureOf(source)
      const files: ImageFile[] = []
      for (const options of wanted) files.push(await webp(picture, options, RESIZED_QUALITY))
      return files
    },

    async pixels(source, box = {}) {
      const picture = pictureOf(source)
      const size = sizeIn(picture, box)
      return inTurn(async () => {
        const whole = await decodeWhole(cores, picture)
        return cores.runOnCore(async (core) => {
          core.toPicture(size.width, size.height, picture.facts.orientation)
          await decodeInto(cores, core, picture, whole, size)
          return takeRaster(core, size)
        }, mannerOf(picture.facts))
      }, picture.isGone)
    },

    rows(source, box = {}) {
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
      const writer = writable.getWriter()
      const write = async () => {
        const picture = pictureOf(source)
        const size = sizeIn(picture, box)
        await inTurn(async () => {
          const whole = await decodeWhole(cores, picture)
          await cores.runOnCore((core) => writeRows(cores, core, picture, whole, size, writer), mannerOf(picture.facts))
        }, picture.isGone)
        await writer.close()
      }
      write().catch((error: unknown) => writer.abort(error).catch(() => {}))
      return readable
    },

    async join(left, right, format) {
      return inTurn(async () => {
        const leftWhole = await decodeWhole(cores, left.picture)
        const rightWhole = await decodeWhole(cores, right.picture)
        const profile = await sharedProfile(left.picture, right.picture)
        const bytes = await join(cores, { ...left, whole: leftWhole }, { ...right, whole: rightWhole }, format, profile)
        return { bytes, format, size: { width: left.size.width + right.size.width, height: left.size.height } }
      }, left.picture.isGone)
    },

    memory: cores.memory,
    queue: inTurn.state,
    release: cores.dropWaiting,
  }
}

/** Throws ImageRefusal ('unreadable') for bytes of no known format. */
function pictureOf(source: Source): Picture {
  if (!(source instanceof Uint8Array)) return source
  const facts = probe(source)
  if (!facts) throw new ImageRefusal('unreadable', 'it is no JPEG, PNG, GIF, WebP or AVIF')
  return { bytes: source, facts }
}

function sizeIn(
  { facts }: Picture,
  { width = Number.POSITIVE_INFINITY, height = Number.POSITIVE_INFINITY }: Box,
): Size {
  return fitInto(uprightSize(facts), { width, height })
}

async function toWebp(cores: Cores, picture: Picture, size: Size, quality: number): Promise<ImageFile> {
  const { bytes, facts } = picture
  const whole = await decodeWhole(cores, picture)
  const profile = await findColourProfile(bytes, facts)
  // The WebP is made while the picture is decoded: the pixels are never all there.
  const webp = await cores.runOnCore(async (core) => {
    core.toWebp(size.width, size.height, facts.orientation, quality)
    await decodeInto(cores, core, picture, whole, size)
    requireOk(core.finishWebp())
    const alpha = core.alphaBytes() > 0 ? view(core, core.alphStart(), core.alphaBytes()) : undefined
    return extendWebp(view(core, core.fileStart(), core.fileBytes()), size, { alpha, profile })
  }, mannerOf(facts))
  return { bytes: webp, format: 'webp', size }
}

async function writeRows(
  cores: Cores,
  core: Core,
  picture: Picture,
  whole: Raster | undefined,
  size: Size,
  writer: WritableStreamDefaultWriter<Uint8Array>,
): Promise<void> {
  core.toUprightRows(size.width, size.height, picture.facts.orientation, false)
  const rowBytes = size.width * 4
  const row = core.allocate(rowBytes + ROW_SLACK)
  const giveWay = createGiveWay(picture.facts.size.width)
  const steps = decodeSteps(core, wholeSource(cores, picture, whole, size))
  try {
    for (const _ of steps) {
      await giveWay()
      while (core.nextUprightRow(row)) await writer.write(take(core, row, rowBytes))
    }
  } finally {
    steps.return()
  }
}

/** The colours and the alpha of an AVIF are decoded side by side, and so are the tiles of its grid. */
function mannerOf(facts: AnyFacts): { mayBorrow: boolean } {
  return { mayBorrow: facts.format === 'avif' && (facts.alpha || facts.grid) }
}

/** The colour profile of two pictures that have the same; two different ones cannot both go with one file. */
async function sharedProfile(left: Picture, right: Picture): Promise<Uint8Array | undefined> {
  const one = await findColourProfile(left.bytes, left.facts)
  const other = await findColourProfile(right.bytes, right.facts)
  const isSame = one && other && one.length === other.length && one.every((byte, i) => byte === other[i])
  return isSame ? one : undefined
}
