import { SHARED_MAX_PIXELS } from '../../limits.ts'
import type { Store } from '../../storage/store.ts'
import { ContentDeleted, deleteManaged } from '../content/management.ts'
import { Failure } from '../failure.ts'
import { createGallery, finalizeGallery } from '../galleries/gallery.ts'
import type { ProblemLogger } from '../problem-logger.ts'
import { type Shard, shardsForGallery } from '../shards/sharding.ts'
import type { Receipt } from './store-upload.ts'
import { type ImageUpload, pixelsOf } from './upload.ts'

/** Images that were shared in one request. */
export interface SharedImages {
  /** The private token of all of them. */
  managementToken?: string | undefined
  /** Images that were not stored; absent for none. */
  failed?: number
}

/** The function that receives an image of a share, the arrival of the share, and the log for problems that no client sees. */
interface Sharing {
  receive: (upload: ImageUpload) => Promise<Receipt>
  nowMs: number
  logProblem: ProblemLogger
}

/**
 * Makes a public gallery of the images that can be read, up to SHARED_MAX_PIXELS, and returns its private token. What fails leaves
 * nothing public.
 */
export async function shareGallery(
  store: Store,
  uploads: readonly ImageUpload[],
  { receive, nowMs, logProblem }: Sharing,
  shards: Iterable<Shard> = shardsForGallery(store),
): Promise<SharedImages> {
  const { hash, uploadToken, managementToken } = await createGallery(
    store,
    { name: '', wantsManagementToken: true, removedIfUnfinished: true, lifetime: uploads[0]?.lifetime },
    nowMs,
    undefined,
    shards,
  )
  const gallery = { hash, uploadToken }
  try {
    const { stored, refused, error } = await receiveEach(uploads, (upload) => receive({ ...upload, gallery }))
    if (error !== undefined) throw error
    if (stored === 0) throw refused[0]?.failure
    await finalizeGallery(store, gallery, nowMs)
    return { managementToken, failed: refused.length }
  } catch (error) {
    // Maintenance would remove it in a day, or has done so.
    const deleted = managementToken === undefined ? undefined : deleteManaged(store, managementToken, nowMs)
    await deleted?.catch((problem) => {
      if (!(problem instanceof ContentDeleted)) logProblem('delete what was shared', problem)
    })
    throw error
  }
}

/** The name of a file as it was sent, and why it was not stored. */
export interface RefusedFile {
  filename: string
  failure: Failure
}

/** Outcome of the images of one request. */
interface ReceivedImages {
  /** Number of images that were stored. */
  stored: number
  /** Files that were not, and why. */
  refused: readonly RefusedFile[]
  /** An error of the service, after which no further image was received; undefined for none. */
  error: unknown
}

/** Receives the images of one request, one after another, up to SHARED_MAX_PIXELS. */
export async function receiveEach(
  uploads: readonly ImageUpload[],
  receive: (upload: ImageUpload) => Promise<unknown>,
): Promise<ReceivedImages> {
  const refused: RefusedFile[] = []
  let [stored, pixels] = [0, 0]
  for (const upload of uploads) {
    const { filename } = upload.file
    const own = pixelsOf(upload.file)
    if (pixels + own > SHARED_MAX_PIXELS && pixels > 0) {
      const failure = new Failure('overloaded', 'these are too many large images for one request: send fewer')
      refused.push({ filename, failure })
      continue
    }
    pixels += own
    try {
      await receive(upload)
      stored++
    } catch (error) {
      if (!(error instanceof Failure)) return { stored, refused, error }
      refused.push({ filename, failure: error })
    }
  }
  return { stored, refused, error: undefined }
}
