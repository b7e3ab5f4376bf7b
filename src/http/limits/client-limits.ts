import type { Handler } from 'hono'
import { MEGAPIXEL, MIB } from 'tintype-codec/units'
import { Failure } from '../../domain/failure.ts'
import { type Charge, longestRefusal } from '../../domain/rate.ts'
import type { SentFile } from '../../domain/sent-file.ts'
import {
  CLIENT_LIMITS,
  type ClientLimit,
  type ClientLimits,
  parseClientLimits,
  parseKeyLimits,
} from '../../domain/settings/client-limits.ts'
import type { UploadKey } from '../../domain/settings/upload-keys.ts'
import { pixelsOf } from '../../domain/uploads/upload.ts'
import { IMAGE_MAX_PIXELS, MULTIPART_MAX_BYTES, UPLOAD_MAX_BYTES } from '../../limits.ts'
import { HOUR_MS } from '../../units.ts'
import type { AppContext, AppEnv } from '../context.ts'
import { settingReader } from '../setting-reader.ts'
import { hasClientAddress } from './client-address.ts'
import { takeFromClient } from './rate-limit.ts'

/** The amount that a request takes of each limit. */
export type Charges = Partial<Record<ClientLimit, number>>

/** The unit of each limit, in messages. */
const UNITS: Record<ClientLimit, string> = {
  uploads: 'uploads',
  upload_mib: 'MiB of uploads',
  megapixels: 'megapixels of uploads',
  covers: 'covers',
  galleries: 'new galleries',
  finalizes: 'finalized galleries',
  changes: 'changes of galleries and images',
  download_files: 'files of downloaded galleries',
  unknown_tokens: 'management tokens that do not exist',
  operator_keys: 'wrong keys of an operator',
  idempotency_keys: 'requests with an Idempotency-Key',
}

/**
 * Charges a request to its upload key (D61), or else to its client (D40). Throws `client_limit_reached` where a limit is exceeded:
 * then nothing is charged. Nobody is limited while the rate limiter cannot be reached.
 */
export function chargeClient(c: AppContext, wanted: Charges): Promise<void> {
  const { uploadKey, logProblem } = c.var
  if (!uploadKey) return chargeNetwork(c, wanted)
  const { CLIENT_LIMITS: ofClients = '', UPLOAD_KEY_LIMITS: ofKeys = '' } = c.env
  return charge(c, readKeyLimits([ofClients, ofKeys], logProblem), wanted, uploadKey)
}

/**
 * Charges a request to its client, whatever key it has. Clients without a known address are not limited: they would all share one
 * limit.
 */
async function chargeNetwork(c: AppContext, wanted: Charges): Promise<void> {
  if (hasClientAddress(c.req.raw)) await charge(c, readLimits(c.env.CLIENT_LIMITS ?? '', c.var.logProblem), wanted)
}

async function charge(c: AppContext, limits: ClientLimits, wanted: Charges, key?: UploadKey): Promise<void> {
  const charges = chargesOf(limits, wanted)
  if (charges.length === 0) return
  const refusal = longestRefusal((await takeFromClient(c, charges, key)) ?? [])
  if (!refusal) return
  const { name, retryAfterS } = refusal
  throw new Failure(
    'client_limit_reached',
    `your ${key ? 'upload key' : 'network address'} is allowed ${limits[name]} ${UNITS[name]} an hour: try again in ${retryAfterS} s`,
    retryAfterS,
  )
}

/**
 * Returns the charges of an upload: its bytes by Content-Length, which the connection enforces, or else the largest
 * file.
 */
export function uploadCharges(request: Request): Charges {
  const bytes = Number(request.headers.get('Content-Length') ?? UPLOAD_MAX_BYTES)
  return { uploads: 1, upload_mib: Math.min(Number.isNaN(bytes) ? UPLOAD_MAX_BYTES : bytes, MULTIPART_MAX_BYTES) / MIB }
}

/** Charges the pixels of an upload, by the headers of its files. Throws `client_limit_reached`. */
export function chargePixels(c: AppContext, files: readonly SentFile[]): Promise<void> {
  return chargeClient(c, pixelCharges(files))
}

/** Returns the charge of an upload's pixels, by the headers of its files; at most that of `maxPixels`. */
export function pixelCharges(files: readonly SentFile[], maxPixels = files.length * IMAGE_MAX_PIXELS): Charges {
  const pixels = files.reduce((sum, file) => sum + pixelsOf(file), 0)
  return { megapixels: Math.min(pixels, maxPixels) / MEGAPIXEL }
}

/** Returns the additional charges of a request with an Idempotency-Key. */
export function keyCharges(key: string | undefined): Charges {
  return key === undefined ? {} : { idempotency_keys: 1 }
}

const UNKNOWN_TOKEN: ReadonlySet<string> = new Set(['management_token_not_found', 'guest_link_not_found'])

/** Wraps a handler of private links: a client that has tried too many unknown tokens gets 429. Existing tokens always work. */
export function countingUnknownTokens(handle: (c: AppContext) => Promise<Response>): Handler<AppEnv> {
  return async (c) => {
    try {
      return await handle(c)
    } catch (error) {
      if (error instanceof Failure && UNKNOWN_TOKEN.has(error.code)) {
        await chargeNetwork(c, { unknown_tokens: 1 })
      }
      throw error
    }
  }
}

const readLimits = settingReader({
  parse: parseClientLimits,
  otherwise: parseClientLimits(''),
  problem: 'the limits of src/limits.ts hold',
})

/** The limits of clients, and those of keys that differ. */
const readKeyLimits = settingReader({
  parse: ([ofClients, ofKeys]: readonly [string, string]) => parseKeyLimits(ofKeys, ofClients),
  otherwise: parseClientLimits(''),
  problem: 'the limits of src/limits.ts hold for upload keys',
})

function chargesOf(limits: ClientLimits, wanted: Charges): Charge<ClientLimit>[] {
  return CLIENT_LIMITS.flatMap((name) => {
    const [tokens, burst] = [wanted[name], limits[name]]
    return tokens === undefined || burst === undefined
      ? []
      : [{ name, tokens, rule: { burst, intervalMs: HOUR_MS / burst } }]
  })
}
