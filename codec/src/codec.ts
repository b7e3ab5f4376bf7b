import { type Box, requireBox, requireMaxMemory, requireQuality } from './arguments.ts'
import { type CodecClock, MOVING_CLOCK } from './clock.ts'
import { findColourProfile } from './colours/colour-profile.ts'
import { jointColours, outputColours } from './colours/output-colours.ts'
import { fitInto } from './fit.ts'
import { type Size, uprightSize } from './format.ts'
import type { MadeFile } from './image-file.ts'
import { WEBP_MAX_SIDE_PX } from './limits.ts'
import { CODEC_MAX_BYTES, HELD_PREVIEW_MAX_BYTES } from './pixels/budget.ts'
import { take } from './pixels/core.ts'
import { type Cores, createCores, type LoadModule } from './pixels/cores.ts'
import { decodeInto, decodeWhole } from './pixels/decode.ts'
import { join } from './pixels/join.ts'
import { encodeLossless } from './pixels/lossless.ts'
import { type Raster, takeRaster } from './pixels/raster.ts'
import { takeUprightRows } from './pixels/upright-rows.ts'
import { losslessWebp } from './pixels/webp-file.ts'
import { type Encoded, encodeOutputs, type Output, passesOf } from './pixels/webp-outputs.ts'
import { createYielder, yieldToOthers } from './pixels/yielder.ts'
import { type AnyFacts, probe } from './probe.ts'
import type { ProbedImage, SizedImage } from './probed-image.ts'
import { ImageRefusal } from './refusal.ts'
import { createTurns, type TurnRule, type TurnState } from './turns.ts'

/** A file, or one whose header was read already. */
export type Source = Uint8Array | ProbedImage

/** Cancels a job that waits for its turn: it rejects with the reason of the signal. */
export interface Cancellation {
  signal?: AbortSignal
}

/** A WebP that is wanted of an image. */
export interface WebpOptions extends Box {
  /** From 0 to 100: 80 of a thumbnail, 90 of all else where it is left out. */
  quality?: number
  /**
   * Whether a profile of lookup tables goes into the file however large it is. Else colours of one over 4 KB become those of
   * sRGB.
   */
  keepsProfile?: boolean
}

/** A file that is wanted of an image: a WebP, unless another is preferred. */
export interface OutputOptions extends WebpOptions {
  /** Whether it is a JPEG in sRGB where nothing of it is transparent: link previews show those alone. */
  prefersJpeg?: boolean
  /** Where it would be larger, its quality is lowered, at most five times. */
  maxBytes?: number
  /**
   * Whether a WebP is lossless where that is smaller. One that is up to a fifth larger is preferred to a lossy one of less than
   * 30 dB.
   */
  mayBeLossless?: boolean
}

/** A lossless WebP that is wanted of an image. */
export interface LosslessOptions extends Box {
  /** Where it would be larger, it is not made. */
  maxBytes?: number
}

/** Options of a codec. */
export interface CodecOptions {
  /** Maximum memory for all images. The default and maximum is 72 MiB. */
  maxMemoryBytes?: number
  /** Limits of the images that wait for their turn: one is decoded at a time. */
  turns?: TurnRule
  /** The clock of its jobs. Left out, one that moves while they compute, which that of Cloudflare does not. */
  clock?: CodecClock
}

/**
 * Makes images of images, a few rows at a time. Everything throws ImageRefusal: 'unreadable' for what cannot be decoded,
 * 'over_budget' for what takes more memory than it may, 'busy' where too many wait. For options that make no sense it is a
 * RangeError.
 */
export interface Codec {
  /**
   * A small WebP of the first frame: upright, alpha kept, with the colour profile where its colours need one. It is lossless where
   * that is smaller.
   */
  thumbnail(source: Source, options: WebpOptions & Cancellation): Promise<MadeFile>
  /** A large WebP of the first frame, of better quality than a thumbnail. */
  resize(source: Source, options?: WebpOptions & Cancellation): Promise<MadeFile>
  /**
   * A lossless WebP: every pixel as it is, those too that are wholly transparent, where it is not resized. Undefined where it
   * would be larger than it may.
   */
  lossless(source: Source, options?: LosslessOptions & Cancellation): Promise<MadeFile | undefined>
  /** Several files, in the order in which they are wanted: small ones are made of what is decoded for a larger one. */
  outputs(source: Source, wanted: readonly OutputOptions[], options?: Cancellation): Promise<MadeFile[]>
  /** The pixels of the first frame, upright: RGBA, colours not multiplied by alpha. All of them are in memory. */
  pixels(source: Source, options?: Box & Cancellation): Promise<Raster>
  /** The pixels of the first frame, a chunk for each row, from the top. The codec is held until the stream has ended or was cancelled. */
  rows(source: Source, options?: Box & Cancellation): ReadableStream<Uint8Array>
  /** Two first frames of one height side by side, without a gap: a PNG, or a JPEG of quality 90. */
  join(left: SizedImage, right: SizedImage, format: 'jpeg' | 'png', options?: Cancellation): Promise<MadeFile>
  /** The memory of all its instances of the module, and the most that it has been, in bytes. */
  memory(): { liveBytes: number; peakBytes: number }
  /** Returns the number of waiting images, and the number and total time of the jobs that have ended. */
  queue(): TurnState
  /** Releases the memory that is retained for the next image. */
  release(): void
}

const THUMBNAIL_QUALITY = 80
const RESIZED_QUALITY = 90
/** A lossy file of less PSNR is replaced by a lossless one that is hardly larger. */
const LOSSY_MIN_DB = 30
/** The largest share of a file that a profile of lookup tables may be: else its colours become those of sRGB. */
const PROFILE_MAX_SHARE = 0.25

/** Any number may wait, for minutes: who uses the codec alone need not bound it. */
const PATIENT: TurnRule = { maxWaiting: Number.POSITIVE_INFINITY, waitMs: 600_000, jobMaxMs: 600_000, lostMs: 60_000 }

/** Makes a codec of the module. One of 72 MiB is enough for images of 100 megapixels. Throws RangeError. */
export function createCodecOf(
  load: LoadModule,
  { maxMemoryBytes = CODEC_MAX_BYTES, turns = PATIENT, clock = MOVING_CLOCK }: CodecOptions = {},
): Codec {
  requireMaxMemory(maxMemoryBytes)
  const idle = createCores(load, Math.min(maxMemoryBytes, CODEC_MAX_BYTES))
  const turnFor = createTurns(turns, clock, idle.dropWorking)

  /** One image at a time, so that no more than one is in memory. */
  function inTurn<Result>(job: (cores: Cores) => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    return turnFor(({ renew }) => {
      const { nowMs, toPresent } = clock
      const pauses = { nowMs, toPresent, yieldToOthers, renew }
      return job({ ...idle, createYielder: (width) => createYielder(width, pauses) })
    }, signal)
  }

  async function filesOf(
    source: Source,
    wanted: readonly OutputOptions[],
    standard: number,
    signal: AbortSignal | undefined,
  ): Promise<MadeFile[]> {
    const image = imageOf(source)
    const outputs = wanted.map(
      ({ quality = standard, keepsProfile = false, prefersJpeg = false, mayBeLossless = false, maxBytes, ...box }) => {
        requireQuality(quality)
        const limit = maxBytes === undefined ? {} : { maxBytes }
        return { size: webpSizeIn(image, box), quality, keepsProfile, prefersJpeg, mayBeLossless, ...limit }
      },
    )
    return inTurn((cores) => encodeFiles(cores, image, outputs), signal)
  }

  async function webp(
    source: Source,
    { signal, ...wanted }: OutputOptions & Cancellation,
    standard: number,
  ): Promise<MadeFile> {
    const [file] = await filesOf(source, [wanted], standard, signal)
    if (!file) throw new Error('one is wanted and one is made')
    return file
  }

  return {
    thumbnail: (source, options) => webp(source, { mayBeLossless: true, ...options }, THUMBNAIL_QUALITY),
    resize: (source, options = {}) => webp(source, options, RESIZED_QUALITY),
    outputs: (source, wanted, { signal } = {}) => filesOf(source, wanted, RESIZED_QUALITY, signal),

    async lossless(source, { maxBytes = Number.POSITIVE_INFINITY, signal, ...box } = {}) {
      const image = imageOf(source)
      return inTurn((cores) => toLossless(cores, image, webpSizeIn(image, box), maxBytes), signal)
    },

    async pixels(source, { signal, ...box } = {}) {
      const image = imageOf(source)
      const size = sizeIn(image, box)
      return inTurn(async (cores) => {
        const whole = await decodeWhole(cores, image)
        return cores.runOnCore(async (core) => {
          core.toImage(size.width, size.height, image.facts.orientation)
          await decodeInto(cores, core, image, whole, size)
          return takeRaster(core, size)
        }, mannerOf(image.facts))
      }, signal)
    },

    rows(source, { signal, ...box } = {}) {
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
      const writer = writable.getWriter()
      const write = async () => {
        const image = imageOf(source)
        const size = sizeIn(image, box)
        await inTurn(async (cores) => {
          const whole = await decodeWhole(cores, image)
          await cores.runOnCore((core) => {
            const writeRow = async (row: number) => {
              await writer.write(take(core, row, size.width * 4))
              return true
            }
            return takeUprightRows(cores, core, image, whole, size, writeRow)
          }, mannerOf(image.facts))
        }, signal)
        await writer.close()
      }
      write().catch((error: unknown) => writer.abort(error).catch(() => {}))
      return readable
    },

    async join(left, right, format, { signal } = {}) {
      return inTurn(async (cores) => {
        const leftWhole = await decodeWhole(cores, left.image)
        const rightWhole = await decodeWhole(cores, right.image)
        const profiles = [await profileOf(left.image), await profileOf(right.image)] as const
        const [leftColours, rightColours] = jointColours(...profiles)
        const bytes = await join(
          cores,
          { ...left, whole: leftWhole, change: leftColours.change },
          { ...right, whole: rightWhole, change: rightColours.change },
          format,
          leftColours.profile,
        )
        return { bytes, format, size: { width: left.size.width + right.size.width, height: left.size.height } }
      }, signal)
    },

    memory: idle.memory,
    queue: turnFor.state,
    release: idle.dropWaiting,
  }
}

/** Throws ImageRefusal ('unreadable') for bytes of no known format, and TypeError for what has no bytes, such as an ArrayBuffer. */
function imageOf(source: Source): ProbedImage {
  if (!(source instanceof Uint8Array)) {
    if (source.bytes instanceof Uint8Array) return source
    throw new TypeError('a picture must be a Uint8Array, or { bytes, facts }')
  }
  const facts = probe(source)
  if (!facts) throw new ImageRefusal('unreadable', 'it is no JPEG, PNG, GIF, WebP or AVIF')
  return { bytes: source, facts }
}

/** Throws RangeError for a box that makes no sense. */
function sizeIn({ facts }: ProbedImage, box: Box): Size {
  requireBox(box)
  const { width = Number.POSITIVE_INFINITY, height = Number.POSITIVE_INFINITY } = box
  return fitInto(uprightSize(facts), { width, height })
}

/** Returns the size of a WebP in a box. Its sides have a limit of their own. */
function webpSizeIn(image: ProbedImage, box: Box): Size {
  return fitInto(sizeIn(image, box), { width: WEBP_MAX_SIDE_PX, height: WEBP_MAX_SIDE_PX })
}

/** The files of outputs of an image, in their order. */
async function encodeFiles(cores: Cores, image: ProbedImage, outputs: readonly Output[]): Promise<MadeFile[]> {
  const whole = await decodeWhole(cores, image)
  const profile = await profileOf(image)
  const files = new Map<Output, MadeFile>()
  const { small, unconverted } = outputColours(profile)
  // Where colours are changed, what keeps them needs a decode of its own.
  const groups = small.change
    ? [outputs.filter(({ keepsProfile }) => keepsProfile), outputs.filter(({ keepsProfile }) => !keepsProfile)]
    : [outputs]
  const encode = async (together: readonly Output[], wanted?: Output) => {
    const colours = together.some(({ keepsProfile }) => keepsProfile) ? unconverted : small
    const made = await cores.runOnCore(
      (core) => encodeOutputs(cores, core, image, whole, together, colours),
      mannerOf(image.facts),
    )
    for (const [i, output] of together.entries()) {
      const file = made[i]
      if (!file) continue
      if (colours.profile && small.change && colours.profile.length > PROFILE_MAX_SHARE * file.bytes.length) {
        await encode([{ ...output, keepsProfile: false }], output)
      } else files.set(wanted ?? output, { ...(await closerOf(cores, file, output.size)), size: output.size })
    }
  }
  for (const together of groups.flatMap((group) => passesOf(group, HELD_PREVIEW_MAX_BYTES))) {
    const apart = passesOf(together)
    try {
      await encode(together)
    } catch (error) {
      // Outputs that cannot be held beside each other are made of several decodes.
      if (apart.length === 1 || !(error instanceof ImageRefusal) || error.reason !== 'over_budget') throw error
      for (const fewer of apart) await encode(fewer)
    }
  }
  return outputs.map((output) => files.get(output)).filter((file) => file !== undefined)
}

/** Returns the lossless file in place of a lossy one that is far from the pixels. */
async function closerOf(cores: Cores, { lossless, ...lossy }: Encoded, size: Size): Promise<Omit<MadeFile, 'size'>> {
  if (!lossless) return lossy
  const facts = probe(lossy.bytes)
  if (!facts) throw new Error('a WebP that was encoded can be read')
  const shown = await cores.runOnCore(async (core) => {
    core.toImage(size.width, size.height, facts.orientation)
    await decodeInto(cores, core, { bytes: lossy.bytes, facts }, undefined, size)
    return takeRaster(core, size)
  })
  const isFar = peakSignalToNoise(shown.rgba, lossless.pixels) < LOSSY_MIN_DB
  return isFar ? { bytes: lossless.bytes, format: 'webp' } : lossy
}

/** Returns the PSNR in dB of RGBA pixels, whose colours count by their alpha. */
function peakSignalToNoise(shown: ArrayLike<number>, pixels: ArrayLike<number>): number {
  const premultiplied = (rgba: ArrayLike<number>, i: number) => {
    const alpha = rgba[i | 3] ?? 0
    return (i & 3) === 3 ? alpha : ((rgba[i] ?? 0) * alpha) / 255
  }
  let sum = 0
  for (let i = 0; i < pixels.length; i++) sum += (premultiplied(shown, i) - premultiplied(pixels, i)) ** 2
  return 10 * Math.log10((255 ** 2 * pixels.length) / sum)
}

async function toLossless(
  cores: Cores,
  image: ProbedImage,
  size: Size,
  maxBytes: number,
): Promise<MadeFile | undefined> {
  const whole = await decodeWhole(cores, image)
  const { profile } = outputColours(await profileOf(image)).exact
  const stream = await cores.runOnCore(
    (core) => encodeLossless(cores, core, image, whole, size, maxBytes - (profile?.length ?? 0)),
    mannerOf(image.facts),
  )
  const bytes = stream && losslessWebp(stream, size, profile)
  return bytes && bytes.length <= maxBytes ? { bytes, format: 'webp', size } : undefined
}

/** The colours and the alpha of an AVIF are decoded side by side, and so are the tiles of its grid. */
function mannerOf(facts: AnyFacts): { mayBorrow: boolean } {
  return { mayBorrow: facts.format === 'avif' && (facts.alpha || facts.grid) }
}

function profileOf({ bytes, facts }: ProbedImage): Promise<Uint8Array | undefined> {
  return findColourProfile(bytes, facts)
}
