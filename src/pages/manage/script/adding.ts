// Adds images to a gallery one after the other, which keeps their order, for its manager and for guests.
import { format, formatNumber } from '../../shell/formatting.ts'
import { denialOf, describeFailure, failureOf, type UploadFailure } from '../../upload/upload-failure.ts'
import type { AddingWords } from '../adding-words.ts'
import type { Refusal } from './refusals.ts'
import { sendImage } from './sending.ts'

/** No later image would be stored: the gallery or its link is full, or the link was replaced or closed. */
const FINAL: readonly UploadFailure[] = ['galleryClosed', 'galleryFull']
/** The images that are left may be stored later, so they stay chosen. */
const INTERRUPTING: readonly UploadFailure[] = ['keyRequired', 'network']

/** Where images are sent, with which fields, and where it is shown. */
export interface Adding {
  url: string
  fields: Readonly<Record<string, string>>
  words: AddingWords
  shown: HTMLElement
  stopButton: HTMLButtonElement
}

/** The outcome of the images so far. */
export interface Added {
  count: number
  refusals: readonly Refusal[]
  /** Images that were not sent, because the person stopped a pause, or because of `interruption`. */
  left: readonly File[]
  interruption?: string
  /** Why the last image was refused. */
  failure?: UploadFailure
}

/** Sends images, and calls `show` before each with its index and the outcome of those before. Returns the outcome of all. */
export async function addImages(
  files: readonly File[],
  { url, fields, words, shown, stopButton }: Adding,
  show: (added: Added, index: number) => void,
): Promise<Added> {
  const { language, adding, paused, failures } = words
  const number = (value: number) => formatNumber(language, value)
  let added: Added = { count: 0, refusals: [], left: [] }
  for (const [index, file] of files.entries()) {
    show(added, index)
    shown.textContent = format(adding, { position: number(index + 1), count: number(files.length) })
    const body = new FormData()
    for (const [name, value] of Object.entries({ content_type: '0', ...fields })) body.set(name, value)
    body.set('img', file)
    const response = await sendImage(url, body, { language, words: paused, shown, stopButton })
    shown.textContent = ''
    if (response === 'stopped') return { ...added, left: files.slice(index) }
    if (response === 'done') {
      added = { ...added, count: added.count + 1 }
      continue
    }
    const failure = failureOf(response)
    const reason = describeFailure(failures, { failure, ...denialOf(response) })
    if (INTERRUPTING.includes(failure)) return { ...added, left: files.slice(index), interruption: reason }
    const isFinal = FINAL.includes(failure)
    const refused = isFinal ? files.slice(index) : [file]
    added = { ...added, failure, refusals: [...added.refusals, ...refused.map(({ name }) => ({ name, reason }))] }
    if (isFinal) break
  }
  return added
}
