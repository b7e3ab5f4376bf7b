import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import { MEGAPIXEL } from 'tintype-codec/units'
import {
  EXPIRY_MAX_S,
  IMAGE_MAX_PIXELS,
  SHARED_MAX_BYTES,
  SHARED_MAX_FILES,
  THUMBNAIL_DEFAULT_SIZE_PX,
  THUMBNAIL_MAX_SIZE_PX,
  UPLOAD_MAX_BYTES,
  UPLOAD_TOKEN_LIFETIME_MS,
} from '../../limits.ts'
import * as routes from '../../routes.ts'
import { TURNSTILE_HOST } from '../../turnstile.ts'
import { DAY_S, HOUR_MS, HOUR_S } from '../../units.ts'
import { CodeBlock } from '../shell/code-fields.tsx'
import type { CodeFormat } from '../shell/codes.ts'
import { renderDocument, SITE_NAME } from '../shell/document.tsx'
import { format, formatDuration, formatHours, formatList, formatMegabytes, formatNumber } from '../shell/formatting.ts'
import { Icon } from '../shell/icons.tsx'
import type { Language } from '../shell/language.ts'
import { messagesIn } from '../shell/messages.ts'
import { keepChosen, type PageContext } from '../shell/page-context.ts'
import { escapeJson } from '../shell/script-data.ts'
import { uploadWords } from './script-words.ts'
import { FORMAT_NAMES } from './upload-error.ts'
import { UploadResults } from './upload-results.tsx'

/** The types that the file picker offers. */
const ACCEPTED = FORMAT_NAMES.map((name) => `image/${name.toLowerCase()}`).join(',')
const PREVIEW_SIZES_PX = { small: THUMBNAIL_DEFAULT_SIZE_PX, medium: 350, large: THUMBNAIL_MAX_SIZE_PX } as const
/** An hour, a day, a week, a month and a year. */
const EXPIRY_CHOICES_S = [HOUR_S, DAY_S, 7 * DAY_S, 30 * DAY_S, 365 * DAY_S]
const NO_EXPIRY = { maxS: EXPIRY_MAX_S, defaultS: undefined }
const PREVIEW_SIZES = ['small', 'medium', 'large'] as const

/** Parameters of a site that opens the upload page for its editor. */
export interface Embedding {
  /** The only origin that is sent the codes. */
  origin: string
  format: CodeFormat | undefined
}

/** The properties of uploadPage. */
interface UploadPageProps {
  context: PageContext
  /** The absolute URL to upload images to. */
  uploadUrl: string
  /** The editor of another site that opened the page as its popup. */
  embedding?: Embedding | undefined
  /** The site key of Turnstile, if visitors confirm that they are human. */
  turnstileKey?: string | undefined
  /** Why the image of the form was refused, as a message. */
  error?: string | undefined
  /** The operator's longest and default time, in seconds. */
  expiry?: { maxS: number; defaultS: number | undefined } | undefined
}

/** The front page, with the upload form: with its script for many images, with progress; without it for one. */
export function uploadPage(props: UploadPageProps): string {
  const { context, error, embedding, turnstileKey } = props
  const { language } = context
  const messages = messagesIn(language).upload
  const summary = context.site.tagline || messages.summary
  return renderDocument({
    context,
    title: SITE_NAME,
    head: (
      <>
        <meta name="description" content={summary} />
        <meta property="og:title" content={SITE_NAME} />
        <meta property="og:description" content={summary} />
      </>
    ),
    stylesheet: 'uploadStyle',
    scripts: ['upload'],
    isHome: true,
    isPopup: embedding !== undefined,
    children: (
      <div class="upload">
        <div class="welcome">
          <h1>{messages.heading}</h1>
          <p>{summary}</p>
        </div>
        {context.site.uploadNotice !== '' && (
          <p class="heed" dir="auto" id="operator-notice">
            {context.site.uploadNotice}
          </p>
        )}
        {error !== undefined && (
          <p class="error" role="alert" id="upload-error">
            {error}
          </p>
        )}
        {embedding && (
          <p class="heed by-script" id="embed" data-origin={embedding.origin} data-format={embedding.format}>
            {format(messagesIn(language).embed.explanation, { site: new URL(embedding.origin).host })}
          </p>
        )}
        {turnstileKey !== undefined && (
          <>
            <div class="by-script" id="human" data-site-key={turnstileKey} />
            <p class="error" role="alert" id="human-blocked" hidden>
              {format(messages.humanBlocked, { host: TURNSTILE_HOST })}
            </p>
            <p class="heed without-script" id="human-needs-script">
              {messages.humanNeedsScript}
            </p>
          </>
        )}
        <p class="notice" role="status" id="told" />
        <p class="notice by-script" id="earlier" hidden>
          <span id="earlier-words" />{' '}
          <a href={keepChosen(context, routes.uploads)}>{messagesIn(language).uploads.heading}</a>
        </p>
        <Shared language={language} />
        <UploadForm {...props} />
        <UploadResults context={context} isEmbedded={embedding !== undefined} />
        <StartOver language={language} />
        <GoodToKnow {...props} />
        <p class="visually-hidden" role="status" id="announcement" />
        <div id="drop-hint" aria-hidden="true" hidden>
          <p>{messages.dropHere}</p>
        </div>
        <FileCard context={context} />
        <script type="application/json" id="words">
          {raw(escapeJson(uploadWords(language)))}
        </script>
      </div>
    ),
  })
}

function UploadForm({ context, error, expiry }: UploadPageProps) {
  const { language } = context
  const messages = messagesIn(language).upload
  const formats = formatList(language, FORMAT_NAMES)
  return (
    <form id="upload" method="post" action={keepChosen(context, routes.uploadForm)} enctype="multipart/form-data">
      <div class="drop">
        <Icon name="image" />
        <div class="ways">
          <div class="pick">
            <label for="img" class="button primary" id="choose">
              {messages.choose}
            </label>
            <input
              id="img"
              type="file"
              name="img"
              accept={ACCEPTED}
              required
              title=""
              aria-describedby={error === undefined ? 'accepted' : 'upload-error accepted'}
            />
          </div>
          <div class="pick small by-script by-mouse">
            <label for="folder" class="button">
              {messages.chooseFolder}
            </label>
            <input id="folder" type="file" webkitdirectory multiple title="" />
          </div>
          <div class="pick small by-script by-touch">
            <label for="camera" class="button">
              {messages.takePhoto}
            </label>
            <input id="camera" type="file" accept="image/*" capture="environment" title="" />
          </div>
        </div>
        <p class="hint by-script by-mouse">{messages.dropOrPaste}</p>
        <p class="hint" id="accepted">
          {format(messages.accepted, { formats, size: formatMegabytes(language, UPLOAD_MAX_BYTES) })}
        </p>
      </div>
      <p class="heed" role="status" id="gathering" />
      <Unfit language={language} />
      <section id="chosen" aria-labelledby="chosen-heading" hidden>
        <div class="part-head">
          <h2 id="chosen-heading">{messages.files}</h2>
          <p class="muted" id="total" />
          <button type="button" id="clear">
            {messages.clear}
          </button>
        </div>
        <ol id="files" />
        <p class="hint by-mouse" id="order-hint" hidden>
          {messages.orderHint}
        </p>
      </section>
      <Bar language={language} expiry={expiry} />
    </form>
  )
}

/** Files that another app has shared. The script shows them before they join the list. */
function Shared({ language }: { language: Language }) {
  const { shared } = messagesIn(language).upload
  const limit = format(shared.limit, {
    files: formatNumber(language, SHARED_MAX_FILES),
    size: formatMegabytes(language, SHARED_MAX_BYTES),
  })
  return (
    <section class="card shared" id="shared" aria-labelledby="shared-heading" hidden>
      <div class="part-head">
        <h2 id="shared-heading">{shared.heading}</h2>
        <p class="muted" id="shared-total" />
      </div>
      <ul id="shared-names" dir="auto" tabindex={0} aria-labelledby="shared-heading" />
      <div class="heed" id="shared-left" hidden>
        <p id="shared-left-words" />
        <p>{limit}</p>
      </div>
      <p class="heed" id="shared-interrupted" hidden>
        {shared.interrupted}
      </p>
      <p class="actions">
        <button type="button" class="primary" id="shared-add">
          {shared.add}
        </button>
        <button type="button" id="shared-discard">
          {shared.discard}
        </button>
      </p>
    </section>
  )
}

/** Files that cannot be uploaded as they are, which the script lists by what is wrong with them. */
function Unfit({ language }: { language: Language }) {
  const { unfit } = messagesIn(language).upload
  return (
    <section class="card unfit" id="unfit" aria-labelledby="unfit-heading" hidden>
      <div class="part-head">
        <h2 id="unfit-heading">{messagesIn(language).upload.files}</h2>
        <button type="button" class="quiet" id="unfit-close">
          {unfit.close}
        </button>
      </div>
      <ul id="unfit-groups" />
      <template id="unfit-group">
        <li>
          <p class="reason" />
          <p class="names muted" dir="auto" />
          <button type="button" />
        </li>
      </template>
    </section>
  )
}

interface OptionsProps extends Pick<UploadPageProps, 'expiry'> {
  language: Language
}

function Options({ language, expiry }: OptionsProps) {
  const messages = messagesIn(language).upload
  return (
    <details id="options" open>
      <summary>
        {messages.options} <span class="muted" id="options-summary" />
      </summary>
      <fieldset class="options">
        <legend>{messages.options}</legend>
        <Choice name="include_manage_url" checked label={messages.privateLinks} hint={messages.privateLinksHint} />
        <Choice
          name="optimize_for_web"
          checked
          label={
            <span>
              <span class="by-script">{messages.smaller}</span>
              <span class="without-script">{messages.stripPlain}</span>
            </span>
          }
          hint={messages.smallerHint}
        />
        <Choice name="content_type" label={messages.adult} hint={messages.adultHint} />
        <p class="field thumbnails">
          <label for="max_th_size">{messages.previewSize}</label>
          <select id="max_th_size" name="max_th_size">
            {PREVIEW_SIZES.map((size) => (
              <option value={String(PREVIEW_SIZES_PX[size])} selected={size === 'large'}>
                {messages.previewSizes[size]}
              </option>
            ))}
          </select>
        </p>
        <p class="field thumbnails">
          <label for="expires_in">{messagesIn(language).expires}</label>
          <ExpiryChoice language={language} expiry={expiry} />
        </p>
      </fieldset>
    </details>
  )
}

/** The times within the operator's maximum. Without a default of the operator, images may stay. */
function ExpiryChoice({ language, expiry: { maxS, defaultS } = NO_EXPIRY }: OptionsProps) {
  const offered = EXPIRY_CHOICES_S.filter((seconds) => seconds <= maxS)
  const choices = [...new Set(defaultS === undefined ? offered : [...offered, defaultS])].toSorted((a, b) => a - b)
  return (
    <select id="expires_in" name="expires_in">
      {defaultS === undefined && <option value="">{messagesIn(language).expiresNever}</option>}
      {choices.map((seconds) => (
        <option value={String(seconds)} selected={seconds === defaultS}>
          {formatDuration(language, seconds)}
        </option>
      ))}
    </select>
  )
}

interface ChoiceProps {
  /** Absent if only the script uses the choice. */
  name?: string
  id?: string
  label: Child
  hint?: string
  hidden?: boolean
  checked?: boolean
  children?: Child
}

function Choice({ name, id = name, label, hint, hidden, checked, children }: ChoiceProps) {
  return (
    <div class="field" id={`${id}-choice`} hidden={hidden}>
      <label class="choice">
        <input
          type="checkbox"
          id={id}
          name={name}
          value="1"
          checked={checked}
          aria-describedby={hint && `${id}-hint`}
        />
        {label}
      </label>
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {children}
    </div>
  )
}

/** The choices, and the current actions, which stay in view. */
function Bar({ language, expiry }: OptionsProps) {
  const messages = messagesIn(language).upload
  return (
    <div class="bar">
      <Choice id="one-gallery" label={messages.oneGallery} hidden>
        <p class="field gallery-name">
          <label for="gallery-name">{messages.galleryName}</label>
          <input
            id="gallery-name"
            autocomplete="off"
            placeholder={messages.galleryName}
            aria-describedby="gallery-hint failure"
          />
          <span class="hint" id="gallery-hint">
            {messages.galleryHint}
          </span>
        </p>
      </Choice>
      <Choice id="strip" checked label={messages.strip} hint={messages.stripHint} hidden />
      <Options language={language} expiry={expiry} />
      <p class="failure" role="alert" id="failure" />
      <p class="offline" role="status" id="offline" />
      <div id="batch" tabindex={-1} hidden>
        <p>
          <span id="batch-words" />
          <span id="batch-percent" />
        </p>
        <p class="muted" id="batch-left" />
        <progress id="batch-progress" aria-labelledby="batch-words" max="1" value="0" />
        <p id="paused" role="status" />
      </div>
      <p class="failure" id="failed-words" />
      <button class="primary" type="submit" id="start">
        {messages.startOne}
      </button>
      <button class="primary" type="button" id="retry-all" hidden />
      <button type="button" id="finish" hidden />
      <button class="primary" type="button" id="resume" hidden>
        {messages.resume}
      </button>
      <button type="button" id="pause" hidden>
        {messages.pause}
      </button>
      <button type="button" id="stop" hidden>
        {messages.startingOver.cancel}
      </button>
    </div>
  )
}

/** The question for those who start over after they have sent something. */
function StartOver({ language }: { language: Language }) {
  const { startingOver } = messagesIn(language).upload
  return (
    <dialog id="start-over" aria-labelledby="start-over-heading">
      <h2 id="start-over-heading">{startingOver.question}</h2>
      <p>{startingOver.question}</p>
      <p class="failure" role="alert" id="start-over-failure" />
      <div class="actions">
        <button type="button" class="danger" id="delete-sent">
          {startingOver.delete}
        </button>
        <button type="button" id="keep-sent">
          {startingOver.keep}
        </button>
        <button type="button" class="quiet" id="cancel-start-over">
          {startingOver.cancel}
        </button>
      </div>
    </dialog>
  )
}

/** The template of a chosen file, for the script. */
function FileCard({ context: { language } }: { context: PageContext }) {
  const messages = messagesIn(language).upload
  return (
    <template id="file-card">
      <li class="file" draggable={true}>
        <div class="preview">
          <Icon name="image" />
          <canvas width="1" height="1" />
          <p class="place" hidden>
            <span class="kept">{messages.hasLocation}</span>
            <span class="lost">{messages.losesLocation}</span>
          </p>
          <button type="button" class="remove" aria-keyshortcuts="Alt+ArrowLeft Alt+ArrowRight">
            <Icon name="close" />
          </button>
        </div>
        <progress max="1" value="0" />
        <p class="name" dir="auto" />
        <p class="state">
          <span class="size" />
          <span class="status" />
        </p>
        <p class="why" />
        <button type="button" class="retry">
          <span>{messages.retryButton}</span>
          <span class="visually-hidden" />
        </button>
      </li>
    </template>
  )
}

function GoodToKnow({ context, uploadUrl }: UploadPageProps) {
  const { language } = context
  const messages = messagesIn(language).upload.limits
  return (
    <section class="good-to-know">
      <h2>{messages.heading}</h2>
      <ul>
        <li>{format(messages.pixelCount, { megapixels: formatNumber(language, IMAGE_MAX_PIXELS / MEGAPIXEL) })}</li>
        <li>{format(messages.galleries, { duration: formatHours(language, UPLOAD_TOKEN_LIFETIME_MS / HOUR_MS) })}</li>
      </ul>
      <p>{messages.forPrograms}</p>
      <CodeBlock language={language} id="curl" short>
        {`curl -F img=@photo.jpg -F content_type=0 ${uploadUrl}`}
      </CodeBlock>
      <p>
        <a href={keepChosen(context, routes.tools)}>ShareX, Flameshot, PicGo, Postman</a>
      </p>
    </section>
  )
}
