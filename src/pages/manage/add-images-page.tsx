import { raw } from 'hono/html'
import { FORMATS } from 'tintype-codec/interface'
import { renderDocument } from '../shell/document.tsx'
import { format, formatNumber } from '../shell/formatting.ts'
import type { Language } from '../shell/language.ts'
import { messagesIn, pauseWordsIn } from '../shell/messages.ts'
import type { PageContext } from '../shell/page-context.ts'
import { PRIVATE_HEAD } from '../shell/private-head.tsx'
import { escapeJson } from '../shell/script-data.ts'
import { failureWordsIn } from '../upload/upload-error.ts'
import type { FailureWords } from '../upload/upload-failure.ts'
import type { GuestWords } from './guest-words.ts'
import { type RefusedImage, RefusedImages } from './refused-images.tsx'

/** iOS converts other formats of its photos to one of these. */
const ACCEPTED = Object.values(FORMATS)
  .map(({ mediaType }) => mediaType)
  .join(',')

/** The properties of addImagesPage. */
export interface AddImagesPageProps {
  context: PageContext
  /** The name of the gallery; empty for an untitled one. */
  name: string
  /** Its public page, if it is public. */
  galleryUrl: string | undefined
  /** Where the form is posted without a script; absolute, as are all URLs here. */
  actionUrl: string
  /** Where the script posts one image at a time: a path, because the policy of the page allows its own origin. */
  uploadPath: string
  /** Images of a form that were stored, and those that were not. */
  added?: number | undefined
  refused?: readonly RefusedImage[] | undefined
}

/** The page of a guest link: a guest chooses images, and sees how many were added. It has no link to manage the gallery. */
export function addImagesPage(props: AddImagesPageProps): string {
  const { context, name, galleryUrl, actionUrl, uploadPath, added = 0, refused = [] } = props
  const { language } = context
  const messages = messagesIn(language)
  const { guests, upload } = messages
  const title = name || messages.untitledGallery
  return renderDocument({
    context,
    title,
    head: PRIVATE_HEAD,
    scripts: ['guest'],
    narrow: true,
    children: (
      <>
        <h1 dir="auto">{title}</h1>
        <p>{guests.addExplanation}</p>
        <p class="notice" role="status" id="added" hidden={added === 0}>
          {added > 0 && format(guests.added, { count: formatNumber(language, added) })}
        </p>
        <RefusedImages language={language} refused={refused} failures={failureWords(language)} />
        <form
          id="guest-form"
          class="card"
          method="post"
          action={actionUrl}
          enctype="multipart/form-data"
          data-upload={uploadPath}
        >
          <p class="field">
            <label for="img">{upload.choose}</label>
            <input id="img" type="file" name="img" accept={ACCEPTED} multiple required />
          </p>
          <progress id="sending" max="1" value="0" aria-label={guests.add} hidden />
          <p role="status" id="sending-status" />
          <p class="actions">
            <button type="submit">{guests.add}</button>
            <button type="button" id="stop" hidden>
              {upload.startingOver.cancel}
            </button>
          </p>
        </form>
        <script type="application/json" id="words">
          {raw(escapeJson(guestWords(language)))}
        </script>
        {galleryUrl !== undefined && (
          <p class="actions">
            <a class="button" href={galleryUrl}>
              {upload.openPage}
            </a>
          </p>
        )}
      </>
    ),
  })
}

/** Returns the texts of the page's script. */
function guestWords(language: Language): GuestWords {
  const { editing, guests, upload } = messagesIn(language)
  return {
    language,
    adding: editing.adding,
    added: guests.added,
    failed: upload.someFailed,
    paused: pauseWordsIn(language),
    failures: failureWords(language),
  }
}

/** Returns the texts of failures. A guest cannot start another gallery, so a full one is a closed link. */
function failureWords(language: Language): FailureWords {
  const { heading } = messagesIn(language).guests.closed
  const { errors, plainDenial } = failureWordsIn(language)
  return { errors: { ...errors, galleryClosed: heading, galleryFull: heading }, plainDenial }
}

/** 410 or 403: a guest link that is closed, expired or full. */
export function closedLinkPage({ context }: Pick<AddImagesPageProps, 'context'>): string {
  const { heading, explanation } = messagesIn(context.language).guests.closed
  return renderDocument({
    context,
    title: heading,
    head: PRIVATE_HEAD,
    narrow: true,
    children: (
      <>
        <h1>{heading}</h1>
        <p>{explanation}</p>
      </>
    ),
  })
}
