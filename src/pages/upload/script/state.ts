import type { Pause } from '../../shell/pause.ts'
import type { UploadFailure } from '../upload-failure.ts'
import { type Item, isDone, isFailed, isUnfinished, uploadedOf } from './item.ts'
import type { Pace } from './pace.ts'
import type { CreatedGallery, Uploaded } from './service/responses.ts'

/** A gallery is offered from this number of images on. */
const GALLERY_MIN_IMAGES = 2
/** From this number of images on, one gallery is the default: nobody wants to share so many links. */
const GALLERY_SUGGESTED_IMAGES = 5

/** The stages of the page: which controls it shows, and what the user may do. */
export type Stage = 'empty' | 'chosen' | 'arranging' | 'sending' | 'paused' | 'halted' | 'done'

/** The acts that a stage allows. */
interface Rules {
  /** The user chooses files and options. */
  choosing?: true
  /** Files may be added to the list. */
  open?: true
  /** Files that are added are sent with the others. */
  queueing?: true
  /** Requests are under way or interrupted: they are lost with the page. */
  busy?: true
  pausable?: true
  cancellable?: true
  /** Everything was tried; images that failed can be retried. */
  decided?: true
  /** The user may start over. */
  clearable?: true
}

export const RULES: Readonly<Record<Stage, Rules>> = {
  empty: { choosing: true, open: true },
  chosen: { choosing: true, open: true, clearable: true },
  arranging: { busy: true, cancellable: true },
  sending: { open: true, queueing: true, busy: true, pausable: true, cancellable: true },
  paused: { open: true, queueing: true, busy: true, cancellable: true },
  halted: { open: true, decided: true, clearable: true },
  done: { open: true, decided: true },
}

/** The options of an upload, as the form has them when it starts. */
export interface Options {
  /** The fields of every image's form. */
  fields: Record<string, string>
  /** Whether location and camera data are removed before a file is sent. */
  stripped: boolean
  /** The gallery for all images, if one is wanted. */
  gallery: { name: string; expiresIn: string } | undefined
}

/** The notice about files that are on their way to the list. */
export type Gathering = 'offline' | 'network' | 'fetching' | 'fetchFailed'

/** The upload page. */
export interface State {
  stage: Stage
  /** In the order of the list, in which they are sent. */
  items: readonly Item[]
  options: Options
  /** Whether the user wants one gallery for all images. Undefined until they choose: then the number of images decides. */
  galleryChoice: boolean | undefined
  gallery: CreatedGallery | undefined
  /** Why the gallery was not created or finalized. */
  failure: UploadFailure | undefined
  gathering: Gathering | undefined
  /** The number of uploaded images that starting over has deleted. */
  deletedCount: number | undefined
  /** By what waits: an item, or the gallery. */
  pauses: ReadonlyMap<number | 'gallery', Pause>
  isOffline: boolean
  /** Undefined while nothing is sent, or nobody knows for how long. */
  pace: Pace | undefined
  /** The last quarter of the progress that was announced. */
  quarter: number
  hasResults: boolean
}

export function initialState(options: Options): State {
  return {
    stage: 'empty',
    items: [],
    options,
    galleryChoice: undefined,
    gallery: undefined,
    failure: undefined,
    gathering: undefined,
    deletedCount: undefined,
    pauses: new Map(),
    isOffline: false,
    pace: undefined,
    quarter: 0,
    hasResults: false,
  }
}

/** Whether a gallery is offered: a single image needs none. */
export function offersGallery({ stage, items }: State): boolean {
  return RULES[stage].choosing === true && items.length >= GALLERY_MIN_IMAGES
}

/** Whether the images are to be in one gallery. */
export function wantsGallery(state: State): boolean {
  return offersGallery(state) && (state.galleryChoice ?? state.items.length >= GALLERY_SUGGESTED_IMAGES)
}

/** The results of one upload. */
export interface Results {
  images: readonly Uploaded[]
  gallery: CreatedGallery | undefined
  /** Of the gallery; may be empty. */
  name: string
}

export function resultsOf({ items, gallery, options }: State): Results {
  return { images: uploadedOf(items), gallery, name: options.gallery?.name.trim() ?? '' }
}

/** Images that were sent: their number, and the addresses that lead to all of them: one of each, or that of their gallery. */
export interface Sent {
  count: number
  links: readonly SentLink[]
}

/** An image or a gallery that was sent, with the private link that deletes it. */
export interface SentLink {
  pageUrl: string
  manageUrl: string | undefined
}

/** Returns what was sent of the list. A gallery counts from its creation: it becomes public within a day. */
export function sentOf({ items, gallery }: State): Sent {
  const uploads = uploadedOf(items)
  const links = gallery
    ? [{ pageUrl: gallery.url, manageUrl: gallery.manageUrl }]
    : uploads.map(({ pageUrl, manageUrl }) => ({ pageUrl, manageUrl }))
  return { count: uploads.length, links }
}

/** Whether something is lost if the page is left. */
export function isAtRisk(state: State): boolean {
  return RULES[state.stage].busy === true || (state.stage === 'halted' && sentOf(state).links.length > 0)
}

/** Whether every image was sent or refused. */
export function isSettled({ items }: State): boolean {
  return items.every((item) => isDone(item) || isFailed(item))
}

/** Whether there is an image that is not uploaded. */
export function hasUnfinished({ items }: State): boolean {
  return items.some(isUnfinished)
}
