import type { Deleted } from '../../../src/domain/content/deletion.ts'
import { imageStatuses } from '../../../src/domain/content/image-status.ts'
import {
  ContentDeleted,
  deleteGalleryImage,
  deleteManaged,
  renameManagedGallery,
  requireManagedGallery,
} from '../../../src/domain/content/management.ts'
import { findImageView } from '../../../src/domain/content/public-image.ts'
import { Failure } from '../../../src/domain/failure.ts'
import { finalizeGallery, findGalleryView, type GalleryAccess } from '../../../src/domain/galleries/gallery.ts'
import { arrangeImages } from '../../../src/domain/galleries/gallery-changes.ts'
import { closeGuestLink, createGuestLink, requireGuestGallery } from '../../../src/domain/galleries/guests.ts'
import type { Seal } from '../../../src/domain/idempotency/lease.ts'
import { imagePath } from '../../../src/domain/ids/links.ts'
import {
  maintain,
  newSweep,
  sweepDeleted,
  sweepFiles,
  sweepGalleries,
} from '../../../src/domain/maintenance/maintenance.ts'
import { hideContent, removeReported, unhideContent } from '../../../src/domain/moderation/moderation.ts'
import { storageFailure } from '../../../src/domain/storage-failure.ts'
import { shareGallery } from '../../../src/domain/uploads/share.ts'
import type { Arrival, Receipt } from '../../../src/domain/uploads/store-upload.ts'
import { receiveCover, receiveImage, type UploadOptions } from '../../../src/domain/uploads/upload.ts'
import { IDEMPOTENCY_LEASE_MS } from '../../../src/limits.ts'
import { type Shard, type Store, shardAt } from '../../../src/storage/store.ts'
import { HOUR_MS, MINUTE_MS } from '../../../src/units.ts'
import * as model from '../content-model.ts'
import { performOnce } from '../performed-once.ts'
import { PIXEL_GIF } from '../store.ts'
import type { Stage } from './scheduler.ts'

/** An image of an order, by its name in the model. */
export interface KnownImage {
  id: number
  name: string
  /** Of a standalone image. */
  token?: string | undefined
}

/** Subject of one order, and the responses of its operations. No other order has its times. */
export interface Subject {
  /** The prefix of the names of all its files. */
  prefix: string
  startMs: number
  /** The number of its shard. */
  shard: number
  start: model.ModelContent
  gallery?: { access: GalleryAccess; token: string } | undefined
  /** The first guest link of the gallery. */
  guestToken?: string
  guestDigest?: string
  images: Map<string, KnownImage>
  keyedResponses: string[]
  problems: string[]
}

/** One of several concurrent operations, with its sequence number. */
export interface Turn {
  subject: Subject
  stage: Stage
  sequenceNumber: number
  /** The image that it uploads, in the model. */
  image: string
}

/** An operation of the service, with its model. */
export interface Operation {
  act: (turn: Turn) => Promise<string | undefined>
  step: (turn: Pick<Turn, 'sequenceNumber' | 'image'>) => model.ContentStep
  /** Whether it runs so late that it sweeps the files of unfinished uploads. */
  isLate?: boolean
  /** Whether the cron runs late for it: it began a day before, or nothing renews its lease. */
  isSlow?: boolean
  isRead?: boolean
  /** Whether two of them have nothing in common. */
  isAlone?: boolean
}

/** Requests of clients come just before the upload token expires. */
export const CLIENTS_AFTER_MS = 24 * HOUR_MS - MINUTE_MS
export const CRON_AFTER_MS = 24 * HOUR_MS
const LATE_AFTER_MS = 26 * HOUR_MS
/** The number of images that a guest link accepts. */
export const GUEST_IMAGES = 1
/** The first image of the subject. A second one is named `second`. */
export const FIRST = 'first'

const clientMs = ({ startMs }: Subject) => startMs + CLIENTS_AFTER_MS
const homeOf = (store: Store, { shard }: Subject): Shard => shardAt(store, shard)
const logProblemOf = (subject: Subject) => (what: string, error: unknown) =>
  void subject.problems.push(`${what}: ${error instanceof Error ? error.message : error}`)

/** Returns the response to an error: its code. Rethrows unexpected errors. */
function responseOf(error: unknown): string {
  const failure = error instanceof Failure ? error : storageFailure(error)
  if (!failure) throw error
  return failure.code
}

async function answering(act: () => Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await act()
  } catch (error) {
    return responseOf(error)
  }
}

/** Returns the name of an image in the model, or the quoted name if there is none. */
export function modelName(name: string): string {
  return /^x\d+-(.*)\.\w+$/.exec(name)?.[1] ?? `"${name}"`
}

const fileOf = ({ prefix }: Subject, image: string) => ({
  filename: `${prefix}${image}.gif`,
  bytes: PIXEL_GIF.slice(),
})

/** Returns the time and the sequence number of an upload. */
export function arrivalOf(subject: Subject, sequenceNumber: number, nowMs = clientMs(subject)): Arrival {
  return { sequenceNumber, nowMs, clock: () => nowMs, logProblem: logProblemOf(subject) }
}

export const optionsOf = (gallery: GalleryAccess | undefined): UploadOptions => ({
  nsfw: false,
  optimizeForWeb: false,
  gallery,
  wantsManagementToken: gallery === undefined,
})

/** Stores an image of the subject. */
export async function receive(
  store: Store,
  subject: Subject,
  image: string,
  arrival: Arrival,
  seal?: Seal<Receipt>,
): Promise<Receipt> {
  const wanted = { ...optionsOf(subject.gallery?.access), file: fileOf(subject, image), maxThumbnailSizePx: 200 }
  return remember(subject, image, await receiveImage(store, wanted, arrival, seal, [homeOf(store, subject)]))
}

function remember(subject: Subject, image: string, receipt: Receipt): Receipt {
  const { id, name } = receipt.image
  subject.images.set(image, { id, name, token: receipt.managementToken })
  return receipt
}

/** Adds the outcome of an upload that takes hours, whose files are swept. */
const orSwept =
  (step: model.ContentStep): model.ContentStep =>
  (content) => [...step(content), ['storage_unavailable', content]]

const upload: Operation = {
  act: ({ subject, stage, sequenceNumber, image }) =>
    answering(async () => void (await receive(stage.store, subject, image, arrivalOf(subject, sequenceNumber)))),
  step: ({ image, sequenceNumber }) => model.upload(image, sequenceNumber),
}

const cover: Operation = {
  act: ({ subject, stage, sequenceNumber, image }) =>
    answering(async () => {
      const { store } = stage
      const [left, right] = [fileOf(subject, image), fileOf(subject, image)]
      const wanted = { ...optionsOf(subject.gallery?.access), left, right }
      const arrival = arrivalOf(subject, sequenceNumber)
      remember(subject, image, await receiveCover(store, wanted, arrival, undefined, [homeOf(store, subject)]))
      return undefined
    }),
  step: upload.step,
}

const addImage: Operation = {
  act: ({ subject, stage, sequenceNumber, image }) =>
    answering(async () => {
      const { store } = stage
      const managed = await requireManagedGallery(store, tokenOf(subject), clientMs(subject))
      const wanted = {
        ...optionsOf(undefined),
        gallery: { hash: managed.hash, managed },
        file: fileOf(subject, image),
        maxThumbnailSizePx: 200,
      }
      const arrival = arrivalOf(subject, sequenceNumber)
      remember(subject, image, await receiveImage(store, wanted, arrival, undefined, [homeOf(store, subject)]))
      return undefined
    }),
  step: ({ image, sequenceNumber }) => model.addImage(image, sequenceNumber),
}

const addGuestImage: Operation = {
  act: ({ subject, stage, sequenceNumber, image }) =>
    answering(async () => {
      const { store } = stage
      const gallery = await requireGuestGallery(store, subject.guestToken ?? '', clientMs(subject))
      const wanted = { ...optionsOf(undefined), gallery, file: fileOf(subject, image), maxThumbnailSizePx: 200 }
      const arrival = arrivalOf(subject, sequenceNumber)
      remember(subject, image, await receiveImage(store, wanted, arrival, undefined, [homeOf(store, subject)]))
      return undefined
    }),
  step: ({ image, sequenceNumber }) => model.addGuestImage(image, sequenceNumber),
}

const closeGuests: Operation = {
  act: ({ subject, stage }) =>
    answering(async () => {
      const gallery = await requireManagedGallery(stage.store, tokenOf(subject), clientMs(subject))
      await closeGuestLink(stage.store, gallery, clientMs(subject))
      return undefined
    }),
  step: () => model.closeGuestLink,
}

/** Makes a guest link of the gallery, and returns its token. */
export async function makeGuestLink(store: Store, subject: Subject, nowMs: number): Promise<string> {
  const gallery = await requireManagedGallery(store, tokenOf(subject), nowMs)
  const limits = { maxImages: GUEST_IMAGES, expiresAtMs: undefined }
  return (await createGuestLink(store, gallery, tokenOf(subject), limits, nowMs)).token
}

const replaceGuestLink: Operation = {
  act: ({ subject, stage }) =>
    answering(async () => void (await makeGuestLink(stage.store, subject, clientMs(subject)))),
  step: () => model.replaceGuestLink(GUEST_IMAGES),
}

/** Moves the second image, to the beginning or after the first. */
const moving = (to: 'beginning' | 'after the first'): Operation => ({
  act: ({ subject, stage }) =>
    answering(async () => {
      const gallery = await requireManagedGallery(stage.store, tokenOf(subject), clientMs(subject))
      const second = subject.images.get('second')
      const paths = second ? [imagePath(second)] : []
      const destination = to === 'beginning' ? to : { after: addressOf(subject).image.path }
      await arrangeImages(stage.store, gallery, paths, destination, clientMs(subject))
      return undefined
    }),
  step: () => (to === 'beginning' ? model.moveToBeginning('second') : model.moveAfter('second', FIRST)),
})

const finalize: Operation = {
  act: ({ subject, stage }) =>
    answering(async () => void (await finalizeGallery(stage.store, accessOf(subject), clientMs(subject)))),
  step: () => model.finalize,
}

const rename: Operation = {
  act: ({ subject, stage, image }) =>
    answering(async () => {
      const gallery = await requireManagedGallery(stage.store, tokenOf(subject), clientMs(subject))
      await renameManagedGallery(stage.store, gallery, image)
      return undefined
    }),
  step: ({ image }) => model.rename(image),
}

/** Deletes, responds, and then removes files. */
async function deleteBy({ subject, stage }: Turn, act: () => Promise<Deleted>): Promise<undefined> {
  const sweep = newSweep(clientMs(subject), logProblemOf(subject))
  try {
    const deleted = await act()
    stage.response('done')
    await sweepDeleted(stage.store, deleted, sweep)
  } catch (error) {
    stage.response(responseOf(error))
    if (error instanceof ContentDeleted && error.content) await sweepDeleted(stage.store, error.content, sweep)
  }
  return undefined
}

const deleteGallery: Operation = {
  act: (turn) => deleteBy(turn, () => deleteManaged(turn.stage.store, tokenOf(turn.subject), clientMs(turn.subject))),
  step: () => model.deleteGallery,
}

const deleteImage: Operation = {
  act: (turn) =>
    deleteBy(turn, () => deleteManaged(turn.stage.store, imageOf(turn.subject).token ?? '', clientMs(turn.subject))),
  step: () => model.deleteImage(FIRST),
}

const deleteImageOfGallery: Operation = {
  act: (turn) =>
    deleteBy(turn, async () => {
      const { subject, stage } = turn
      const gallery = await requireManagedGallery(stage.store, tokenOf(subject), clientMs(subject))
      return deleteGalleryImage(stage.store, gallery, addressOf(subject).image.path, clientMs(subject))
    }),
  step: () => model.deleteGalleryImage(FIRST),
}

const removeImage: Operation = {
  async act({ subject, stage }) {
    const by = { operator: 'anna', nowMs: clientMs(subject) }
    const { changed, toPurge } = await removeReported(stage.store, addressOf(subject), by)
    stage.response(changed ? 'done' : 'was deleted')
    const sweep = newSweep(by.nowMs, logProblemOf(subject))
    if (toPurge) await sweepDeleted(stage.store, toPurge, sweep)
    return undefined
  },
  step: () => model.removeImage(FIRST),
}

function hiding(isHidden: boolean, what: 'image' | 'gallery'): Operation {
  return {
    async act({ subject, stage }) {
      const address = what === 'image' ? addressOf(subject) : { kind: 'gallery' as const, hash: accessOf(subject).hash }
      const by = { operator: 'anna', nowMs: clientMs(subject) }
      const { changed } = await (isHidden ? hideContent : unhideContent)(stage.store, address, by)
      return changed ? 'changed' : 'unchanged'
    },
    step: () => (what === 'image' ? model.setImageHidden(FIRST, isHidden) : model.setGalleryHidden(isHidden)),
  }
}

const status: Operation = {
  async act({ subject, stage }) {
    const [found] = await imageStatuses(stage.store, [addressOf(subject).image], clientMs(subject))
    return found
  },
  step: () => model.status(FIRST),
  isRead: true,
}

const galleryPage: Operation = {
  async act({ subject, stage }) {
    const view = await findGalleryView(stage.store, accessOf(subject).hash, 1, 1000, clientMs(subject))
    return view && view !== 'expired' ? model.pageOf(view.images.map(({ name }) => modelName(name))) : 'nothing'
  },
  step: () => model.galleryPage,
  isRead: true,
}

const imagePage: Operation = {
  async act({ subject, stage }) {
    const view = await findImageView(stage.store, addressOf(subject).image.path, clientMs(subject))
    if (!view || view === 'expired') return 'nothing'
    if (!view.inGallery) return 'page'
    const { previous, next, position } = view.inGallery
    return model.neighboursOf(previous && modelName(previous.name), next && modelName(next.name), position)
  },
  step: () => model.imagePage(FIRST),
  isRead: true,
}

const sweep: Operation = {
  async act({ subject, stage }) {
    const shard = homeOf(stage.store, subject)
    await sweepFiles(shard, newSweep(subject.startMs + LATE_AFTER_MS, logProblemOf(subject)))
    await sweepGalleries(shard, newSweep(subject.startMs + LATE_AFTER_MS, logProblemOf(subject)))
    return undefined
  },
  step: () => model.unseen,
  isLate: true,
}

const cronAfter = (afterMs: number): Operation => ({
  async act({ subject, stage }) {
    await maintain(stage.store, subject.startMs + afterMs, logProblemOf(subject))
    return undefined
  },
  step: () => model.maintain,
  isLate: afterMs === LATE_AFTER_MS,
})

/** Performs requests with one Idempotency-Key. Time advances only while nobody else works. */
function keyed(perform: (turn: Turn, seal: Seal<string>) => Promise<string>): Operation['act'] {
  return (turn) =>
    answering(async () => {
      const { subject, stage } = turn
      let nowMs = clientMs(subject)
      const surroundings = {
        nowMs: () => nowMs,
        async wait(ms: number) {
          await stage.waitForOthers()
          if (stage.areOthersOver()) nowMs += Math.max(ms, IDEMPOTENCY_LEASE_MS)
        },
        every: () => () => {},
        logProblem: logProblemOf(subject),
      }
      const request = {
        key: `key of ${subject.prefix}`,
        operation: 'operation',
        read: async () => ({ texts: new Map(), files: new Map() }),
        shard: homeOf(stage.store, subject),
      }
      const { response } = await performOnce(stage.store, request, surroundings, (seal) => perform(turn, seal))
      subject.keyedResponses.push(response)
      return undefined
    })
}

const keyedUpload: Operation = {
  act: keyed(async ({ subject, stage, sequenceNumber }, seal) => {
    const write = ({ image, managementToken }: Receipt) => `${imagePath(image)} ${managementToken}`
    const sealed = (receipt: Receipt) => seal(write(receipt))
    return write(await receive(stage.store, subject, 'keyed', arrivalOf(subject, sequenceNumber), sealed))
  }),
  // It is unknown which of the two is recorded; both are one image in the model.
  step: () => model.uploadOnce('keyed', 0),
  isSlow: true,
}

const keyedDelete: Operation = {
  act: keyed(async ({ subject, stage }, seal) => {
    const token = imageOf(subject).token ?? ''
    await deleteManaged(stage.store, token, clientMs(subject), () => seal('deleted'))
    return 'deleted'
  }),
  step: () => model.deleteOnce(FIRST),
}

const SHARED = ['one', 'two']

const share: Operation = {
  act: ({ subject, stage, sequenceNumber }) =>
    answering(async () => {
      const { store } = stage
      const uploads = SHARED.map((name) => ({
        ...optionsOf(undefined),
        file: fileOf(subject, name),
        maxThumbnailSizePx: 200,
      }))
      let next = sequenceNumber
      const { failed = 0 } = await shareGallery(
        store,
        uploads,
        {
          receive: (wanted) => receiveImage(store, wanted, arrivalOf(subject, next++, subject.startMs)),
          nowMs: subject.startMs,
          logProblem: logProblemOf(subject),
        },
        [homeOf(store, subject)],
      )
      return failed > 0 ? `${failed} failed` : undefined
    }),
  step: ({ sequenceNumber }) => model.share(SHARED, sequenceNumber),
  isSlow: true,
  isAlone: true,
}

/** Every operation, by its name. */
export const OPERATIONS = {
  upload,
  cover,
  'addition of an image': addImage,
  'image of a guest': addGuestImage,
  'close of the guest link': closeGuests,
  'new guest link': replaceGuestLink,
  'move to the beginning': moving('beginning'),
  'move after the first': moving('after the first'),
  finalize,
  rename,
  'delete of the gallery': deleteGallery,
  'delete of the image': deleteImage,
  'delete of an image of the gallery': deleteImageOfGallery,
  'removal of the image': removeImage,
  status,
  'page of the gallery': galleryPage,
  'page of the image': imagePage,
  'hide of the gallery': hiding(true, 'gallery'),
  'unhide of the gallery': hiding(false, 'gallery'),
  'hide of the image': hiding(true, 'image'),
  'unhide of the image': hiding(false, 'image'),
  sweep,
  cron: cronAfter(CRON_AFTER_MS),
  'late cron': cronAfter(LATE_AFTER_MS),
  'upload with a key': keyedUpload,
  'delete with a key': keyedDelete,
  share,
} as const satisfies Record<string, Operation>

export type OperationName = keyof typeof OPERATIONS

const UPLOADS: readonly OperationName[] = [
  ...(['upload', 'addition of an image', 'image of a guest', 'cover', 'upload with a key', 'share'] as const),
]

/** Returns the model of an operation beside others. */
export function stepOf(
  name: OperationName,
  turn: Pick<Turn, 'sequenceNumber' | 'image'>,
  others: readonly OperationName[],
) {
  const operation: Operation = OPERATIONS[name]
  const isUpload = UPLOADS.includes(name)
  const isSwept = others.some((other) => {
    const { isLate = false }: Operation = OPERATIONS[other]
    return isLate || (other === 'cron' && operation.isSlow)
  })
  const step = operation.step(turn)
  return isUpload && isSwept ? orSwept(step) : step
}

function accessOf({ gallery }: Subject): GalleryAccess {
  if (!gallery) throw new Error('the subject has no gallery')
  return gallery.access
}

function tokenOf({ gallery }: Subject): string {
  if (!gallery) throw new Error('the subject has no gallery')
  return gallery.token
}

function imageOf({ images }: Subject): KnownImage {
  const image = images.get(FIRST)
  if (!image) throw new Error('the subject has no image')
  return image
}

function addressOf(subject: Subject) {
  const image = imageOf(subject)
  return { kind: 'image' as const, image: { id: image.id, path: imagePath(image) } }
}
