import type { Pause } from '../../shell/pause.ts'
import type { UploadFailure } from '../upload-failure.ts'
import type { Item, Progress } from './item.ts'
import type { CreatedGallery } from './service/responses.ts'
import type { Gathering, Options, Results, Sent } from './state.ts'

/** An act of the user, a response of the service, or the end of an effect. */
export type Event =
  | { type: 'gathering'; notice: Gathering | undefined }
  | { type: 'added'; item: Item }
  /** The files of one choice were added. */
  | { type: 'gathered'; ids: readonly number[] }
  | { type: 'removed'; id: number }
  | { type: 'moved'; id: number; order: readonly number[] }
  | { type: 'galleryChosen'; isWanted: boolean }
  | { type: 'started'; options: Options; key: string | undefined }
  | { type: 'galleryCreated'; gallery: CreatedGallery }
  /** The gallery was not created. `isStopped` if the user ended the request. */
  | { type: 'galleryRefused'; failure: UploadFailure; isStopped: boolean }
  /** `atMs` is on the clock of `performance.now`. */
  | { type: 'progressed'; id: number; progress: Progress; atMs: number }
  | { type: 'retried'; ids: readonly number[] }
  | { type: 'paused' }
  | { type: 'cancelled' }
  /** All responses have arrived since the user has cancelled. */
  | { type: 'stopped' }
  | { type: 'resumed' }
  /** No image is in the queue any more. */
  | { type: 'settled' }
  | { type: 'finished' }
  | { type: 'galleryFinalized' }
  | { type: 'galleryNotFinalized'; failure: UploadFailure; isStopped: boolean }
  | { type: 'startingOver' }
  /** All responses have arrived since. */
  | { type: 'startOver' }
  | { type: 'sentDeleted'; pageUrl: string }
  | { type: 'allSentDeleted'; sent: Sent }
  | { type: 'sentKept' }
  | { type: 'more' }
  | { type: 'waiting'; waiter: number | 'gallery'; pause: Pause | undefined }
  | { type: 'connection'; isLost: boolean }
  | { type: 'reconnected' }

/** A task besides showing the state. */
export type Effect =
  | { type: 'announce'; what: 'count'; count: number; inGallery: boolean }
  | { type: 'announce'; what: 'failed' | 'done'; count: number }
  | { type: 'announce'; what: 'progress'; share: number }
  | { type: 'announce'; what: 'moved'; name: string; position: number; total: number }
  | { type: 'announce'; what: 'nothing' }
  /** Moves the focus to the next step of the stage, if it was lost. */
  | { type: 'keepFocus' }
  | { type: 'focusCard'; id: number }
  | { type: 'focusChooser' }
  /** Restarts what a pause has ended. */
  | { type: 'renew' }
  /** Ends waits for the service, but no request that is under way. */
  | { type: 'hold' }
  | { type: 'stop' }
  | { type: 'createGallery'; name: string; expiresIn: string; key: string | undefined }
  | { type: 'finalizeGallery'; gallery: CreatedGallery }
  | { type: 'send'; ids: readonly number[] }
  | { type: 'withdraw'; id: number }
  | { type: 'pauseQueue' }
  | { type: 'resumeQueue' }
  | { type: 'clearQueue' }
  | { type: 'waitForConnection' }
  | { type: 'connectionFound' }
  | { type: 'connectionMoves' }
  /** Waits for the responses to what was sent whole: their private links are in them. */
  | { type: 'waitForResponses'; followUp: 'startOver' | 'stopped' }
  | {
      type: 'remember'
      kind: 'picture' | 'gallery'
      name: string
      pageUrl: string
      thumbnailUrl?: string
      manageUrl: string
      expiresAtMs?: number
    }
  | { type: 'forget'; pageUrl: string }
  | { type: 'forgetShared'; file: File }
  | { type: 'forgetAllShared' }
  | { type: 'forgetUnfit' }
  | { type: 'flagGalleryName'; isWrong: boolean }
  | { type: 'forgetGalleryName' }
  | { type: 'askAboutSent'; sent: Sent }
  | { type: 'showResults'; results: Results }
