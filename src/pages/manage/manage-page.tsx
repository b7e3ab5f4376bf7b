import { raw } from 'hono/html'
import {
  CAPTION_MAX_CHARACTERS,
  GALLERY_MAX_IMAGES,
  GALLERY_NAME_MAX_CHARACTERS,
  GUEST_LINK_MAX_S,
} from '../../limits.ts'
import * as routes from '../../routes.ts'
import { DAY_S } from '../../units.ts'
import type { ManagedKind } from '../messages/types.ts'
import { CodeField } from '../shell/code-fields.tsx'
import { renderDocument } from '../shell/document.tsx'
import { type Expiry, ExpiryTime } from '../shell/expiry-time.tsx'
import { FileName } from '../shell/file-name.tsx'
import { format, formatDay, formatNumber, formatPlural } from '../shell/formatting.ts'
import { Icon } from '../shell/icons.tsx'
import type { Language } from '../shell/language.ts'
import { messagesIn, pauseWordsIn } from '../shell/messages.ts'
import { keepChosen, type PageContext } from '../shell/page-context.ts'
import { Pagination, type PaginationProps } from '../shell/pagination.tsx'
import { PRIVATE_HEAD } from '../shell/private-head.tsx'
import { qrCodeOf } from '../shell/qr-code.ts'
import { escapeJson } from '../shell/script-data.ts'
import { failureWordsIn } from '../upload/upload-error.ts'
import type { ManageWords } from './manage-words.ts'
import { type RefusedImage, RefusedImages } from './refused-images.tsx'

/** The quiet zone around a QR code (ISO/IEC 18004, 6.3.8). */
const QUIET_MODULES = 4
const GUEST_DAYS_MAX = Math.floor(GUEST_LINK_MAX_S / DAY_S)

/** An open guest link. */
interface GuestLinkProps {
  url: string
  imageCount: number
  maxImages: number | undefined
  expiresAtMs: number | undefined
}

/** A thumbnail with its size. */
interface Thumbnail {
  url: string
  width: number
  height: number
}

/** The texts of an image; empty for none. */
export interface ImageTexts {
  caption: string
  alt: string
}

/** An image of a managed gallery. */
interface ManagedImage extends ImageTexts {
  /** Names it in the form: `<dir>/<id>_<name>`. */
  path: string
  pageUrl: string
  name: string
  /** Absent for NSFW images. */
  thumbnail?: Thumbnail | undefined
  isCover: boolean
}

/** A page of the images of a managed gallery. */
interface ManagedImages extends Omit<PaginationProps, 'context'> {
  items: readonly ManagedImage[]
}

/** The properties of managePage. */
export interface ManagePageProps {
  context: PageContext
  kind: ManagedKind
  /** The public page; absolute, as are all URLs here. */
  publicUrl: string
  /** As stored; empty for an untitled gallery. */
  name: string
  /** For a gallery. */
  imageCount?: number | undefined
  /** Absent for content that stays. */
  expiry?: Expiry | undefined
  /** Its thumbnail, if it may be shown. */
  thumbnail?: Thumbnail | undefined
  /** The images of a public gallery. */
  images?: ManagedImages | undefined
  /** The open guest link of a gallery. */
  guests?: GuestLinkProps | undefined
  /** The texts of a standalone image. */
  texts?: ImageTexts | undefined
  /**
   * Where the forms are posted. `action` is `rename` (with `name`), `delete` (with `confirm`), `create-guests` (with `max_images`
   * and `days`) or `close-guests`. With the `image` of a gallery it is `delete-image`, `earlier`, `later`, `cover` or `edit` (with
   * `caption` and `alt`).
   */
  actionUrl: string
  /** Where the form that adds an image to a gallery is posted. */
  addUrl?: string | undefined
  /** The name before, if the gallery was just renamed. */
  renamedFrom?: string | undefined
  /** The name of the image that was just deleted. */
  deletedImage?: string | undefined
  /** Whether the images of the gallery, or the texts of an image, were just changed. */
  saved?: boolean | undefined
  error?: 'invalid_name' | 'not_confirmed' | 'image_deleted' | 'invalid_texts' | undefined
  /** Number of images of the same share that could not be stored, if only that is known. */
  failed?: number | undefined
  /** Images of a form that were not stored. */
  refused?: readonly RefusedImage[] | undefined
  /** A name that was refused, to be corrected in the form. */
  refusedName?: string | undefined
}

/** The page at a management URL (specification, "Management token"): describes the content, with forms to rename or delete it. */
export function managePage(props: ManagePageProps): string {
  const {
    context,
    kind,
    publicUrl,
    name,
    imageCount,
    expiry,
    thumbnail,
    images,
    renamedFrom,
    error,
    failed,
    refused = [],
  } = props
  const { language } = context
  const messages = messagesIn(language)
  const managed = messages.managed[kind]
  return renderDocument({
    context,
    title: managed.heading,
    head: PRIVATE_HEAD,
    scripts: kind === 'gallery' ? ['page', 'manage'] : ['page'],
    narrow: true,
    children: (
      <>
        <h1>{managed.heading}</h1>
        {kind === 'gallery' && (
          <RefusedImages language={language} refused={refused} count={failed} failures={failureWordsIn(language)} />
        )}
        {renamedFrom !== undefined && <Renamed {...props} before={renamedFrom} />}
        <p>{managed.explanation}</p>
        {thumbnail && (
          <img class="fitted" src={thumbnail.url} width={thumbnail.width} height={thumbnail.height} alt="" />
        )}
        <dl class="facts">
          <dt>{messages.nameLabel}</dt>
          <dd dir="auto">{kind === 'image' ? <FileName name={name} /> : name || messages.untitledGallery}</dd>
          {imageCount !== undefined && (
            <>
              <dt>{messages.gallery}</dt>
              <dd>{formatPlural(language, messages.imageCount, imageCount)}</dd>
            </>
          )}
          {expiry && (
            <>
              <dt>{messages.expires}</dt>
              <dd>
                <ExpiryTime language={language} expiry={expiry} />
              </dd>
            </>
          )}
        </dl>
        <CodeField language={language} id="code-link" label={messages.publicPage} code={publicUrl} />
        <p class="actions">
          <a class="button" href={publicUrl}>
            {messages.upload.openPage}
          </a>
        </p>
        {kind === 'gallery' && <RenameForm {...props} />}
        {props.addUrl !== undefined && <AddForm {...props} addUrl={props.addUrl} />}
        {kind === 'gallery' && <Guests {...props} />}
        {images && <Images {...props} images={images} />}
        {props.texts && <StandaloneTexts {...props} texts={props.texts} />}
        <section class="card" aria-labelledby="delete">
          <h2 id="delete">{managed.deleteHeading}</h2>
          <p id="delete-warning">{managed.deleteWarning}</p>
          {error === 'not_confirmed' && (
            <p class="error" role="alert" id="confirm-error">
              {messages.confirmMissing}
            </p>
          )}
          <DeleteForm {...props} />
        </section>
        {kind === 'gallery' && (
          <script type="application/json" id="words">
            {raw(escapeJson(manageWords(language)))}
          </script>
        )}
      </>
    ),
  })
}

/** Says what a rename has changed. */
function Renamed({ context: { language }, name, before }: ManagePageProps & { before: string }) {
  const messages = messagesIn(language)
  return (
    <p class="notice" role="status">
      {messages.renamed}{' '}
      {before !== name && (
        <span class="change">
          <del dir="auto">{before || messages.untitledGallery}</del> <Icon name="forwards" />{' '}
          <ins dir="auto">{name || messages.untitledGallery}</ins>
        </span>
      )}
    </p>
  )
}

/** Returns the texts of the script. */
function manageWords(language: Language): ManageWords {
  const { editing, upload } = messagesIn(language)
  return {
    language,
    adding: editing.adding,
    failed: upload.someFailed,
    paused: pauseWordsIn(language),
    failures: failureWordsIn(language),
    saved: editing.saved,
    movingPaused: editing.paused,
    moveFailed: editing.moveFailed,
    moveOutdated: editing.moveOutdated,
  }
}

/** Adds images to a gallery: one without a script, and any number with it, which sends them to the API. */
function AddForm({ context: { language }, addUrl }: ManagePageProps & { addUrl: string }) {
  const { editing, upload } = messagesIn(language)
  return (
    <section class="card" aria-labelledby="add">
      <h2 id="add">{editing.add}</h2>
      <form method="post" action={addUrl} enctype="multipart/form-data" id="add-form">
        <p class="field">
          <label for="img">{upload.choose}</label>
          <input id="img" type="file" name="img" accept="image/*" required autocomplete="off" />
        </p>
        <label class="choice">
          <input type="checkbox" name="content_type" value="1" autocomplete="off" />
          {upload.adult}
        </label>
        <p class="actions">
          <button type="submit">{editing.add}</button>
          <button type="button" id="stop" hidden>
            {upload.startingOver.cancel}
          </button>
        </p>
      </form>
    </section>
  )
}

/** The images of a gallery, each with the forms that change it. A script moves them in place, by the buttons or by dragging. */
function Images(props: ManagePageProps & { images: ManagedImages }) {
  const { context, actionUrl, images, deletedImage, error, saved } = props
  const { language } = context
  const messages = messagesIn(language)
  const anchor = 'pictures'
  return (
    <section class="card" aria-labelledby={anchor}>
      <h2 id={anchor}>{messages.imagePage.neighbours}</h2>
      {deletedImage !== undefined && (
        <p class="notice" role="status">
          {format(messages.uploads.deleted, { name: deletedImage })}
        </p>
      )}
      {saved && <Saved language={language} />}
      {error === 'image_deleted' && (
        <p class="error" role="alert">
          {messages.deletedNotice.heading}
        </p>
      )}
      {error === 'invalid_texts' && <TextsError language={language} />}
      <p class="hint moving">
        <span id="moving-status" aria-live="polite" />
        <button type="button" id="stop-moving" hidden>
          {messages.upload.startingOver.cancel}
        </button>
      </p>
      <ul class="managed-images">
        {images.items.map((image) => (
          <ManagedImageItem language={language} {...image} action={`${pageOf(actionUrl, images.page)}#${anchor}`} />
        ))}
      </ul>
      <Pagination context={context} {...images} />
    </section>
  )
}

function ManagedImageItem(image: ManagedImage & { language: Language; action: string }) {
  const { language, action, path, pageUrl, name, thumbnail, isCover } = image
  const messages = messagesIn(language)
  const { editing } = messages
  return (
    <li data-image={path}>
      <form method="post" action={action} accept-charset="UTF-8">
        <input type="hidden" name="image" value={path} />
        <a href={pageUrl}>
          <span class="managed-thumbnail">
            {thumbnail ? (
              <img src={thumbnail.url} width={thumbnail.width} height={thumbnail.height} alt="" loading="lazy" />
            ) : (
              messages.adultContent
            )}
          </span>
          <FileName name={name} short />
        </a>
        <p class="managed-moves">
          {isCover && <strong>{editing.cover}</strong>}
          <button type="submit" name="action" value="earlier" aria-label={`${editing.earlier}: ${name}`}>
            <Icon name="backwards" />
          </button>
          <button type="submit" name="action" value="later" aria-label={`${editing.later}: ${name}`}>
            <Icon name="forwards" />
          </button>
        </p>
        <details>
          <summary>
            {editing.edit} <span class="visually-hidden">{name}</span>
          </summary>
          <TextFields {...image} id={path.replace('/', '-')} />
          {!isCover && (
            <button type="submit" name="action" value="cover">
              {editing.makeCover}
            </button>
          )}
        </details>
        <details>
          <summary>
            {messages.uploads.delete} <span class="visually-hidden">{name}</span>
          </summary>
          <button class="danger" type="submit" name="action" value="delete-image">
            {messages.confirmDelete}
          </button>
        </details>
      </form>
    </li>
  )
}

/** The fields of the texts of an image, and the button that saves them. */
function TextFields({ language, id, caption, alt }: ImageTexts & { language: Language; id: string }) {
  const { editing } = messagesIn(language)
  return (
    <>
      <p class="field">
        <label for={`caption-${id}`}>{editing.caption}</label>
        <textarea id={`caption-${id}`} name="caption" rows={2} dir="auto">
          {caption}
        </textarea>
      </p>
      <p class="field">
        <label for={`alt-${id}`}>{editing.alt}</label>
        <textarea id={`alt-${id}`} name="alt" rows={2} dir="auto" aria-describedby={`alt-hint-${id}`}>
          {alt}
        </textarea>
      </p>
      <p class="hint" id={`alt-hint-${id}`}>
        {editing.altHint}
      </p>
      <button type="submit" name="action" value="edit">
        {editing.save}
      </button>
    </>
  )
}

function StandaloneTexts({ context, actionUrl, texts, error, saved }: ManagePageProps & { texts: ImageTexts }) {
  const { language } = context
  return (
    <section class="card" aria-labelledby="edit">
      <h2 id="edit">{messagesIn(language).editing.edit}</h2>
      {saved && <Saved language={language} />}
      {error === 'invalid_texts' && <TextsError language={language} />}
      <form method="post" action={actionUrl} accept-charset="UTF-8">
        <TextFields language={language} id="image" {...texts} />
      </form>
    </section>
  )
}

function Saved({ language }: { language: Language }) {
  return (
    <p class="notice" role="status">
      {messagesIn(language).editing.saved}
    </p>
  )
}

function TextsError({ language }: { language: Language }) {
  const maxCharacters = formatNumber(language, CAPTION_MAX_CHARACTERS)
  return (
    <p class="error" role="alert">
      {format(messagesIn(language).editing.tooLong, { maxCharacters })}
    </p>
  )
}

/** The address of the forms, on this page of the images. */
function pageOf(actionUrl: string, page: number): string {
  return page === 1 ? actionUrl : `${actionUrl}${actionUrl.includes('?') ? '&' : '?'}page=${page}`
}

function DeleteForm({ context: { language }, kind, actionUrl, error }: ManagePageProps) {
  const messages = messagesIn(language)
  const refused = error === 'not_confirmed'
  return (
    <form method="post" action={actionUrl}>
      <label class="choice">
        <input
          type="checkbox"
          name="confirm"
          value="yes"
          required
          autocomplete="off"
          aria-describedby={refused ? 'delete-warning confirm-error' : 'delete-warning'}
          aria-invalid={refused ? 'true' : undefined}
        />
        {messages.confirmDelete}
      </label>
      <p class="actions">
        <button class="danger" type="submit" name="action" value="delete">
          {messages.managed[kind].deleteButton}
        </button>
      </p>
    </form>
  )
}

function RenameForm({ context: { language }, actionUrl, name, error, refusedName }: ManagePageProps) {
  const messages = messagesIn(language)
  const refused = error === 'invalid_name'
  return (
    <section class="card" aria-labelledby="rename">
      <h2 id="rename">{messages.rename}</h2>
      {refused && (
        <p class="error" role="alert" id="name-error">
          {format(messages.invalidName, { maxCharacters: maxCharacters(language) })}
        </p>
      )}
      <form method="post" action={actionUrl} accept-charset="UTF-8">
        <p class="field">
          <label for="name">{messages.nameLabel}</label>
          <input
            id="name"
            type="text"
            name="name"
            value={refusedName ?? name}
            dir="auto"
            autocomplete="off"
            aria-describedby={refused ? 'name-error name-hint' : 'name-hint'}
            aria-invalid={refused ? 'true' : 'false'}
          />
        </p>
        <p class="hint" id="name-hint">
          {format(messages.nameHint, { maxCharacters: maxCharacters(language) })}
        </p>
        <p class="actions">
          <button type="submit" name="action" value="rename">
            {messages.renameButton}
          </button>
        </p>
      </form>
    </section>
  )
}

/** The guest link of a gallery, with its QR code and the form that closes it; without one, the form that makes one. */
function Guests({ context: { language }, guests, actionUrl }: ManagePageProps) {
  const messages = messagesIn(language)
  const words = messages.guests
  return (
    <section class="card" aria-labelledby="guests">
      <h2 id="guests">{words.heading}</h2>
      <p>{words.explanation}</p>
      {guests && <GuestFacts language={language} {...guests} />}
      <form method="post" action={`${actionUrl}#guests`}>
        {!guests && (
          <>
            <NumberField name="max_images" label={words.maxImages} max={GALLERY_MAX_IMAGES} />
            <NumberField name="days" label={words.days} max={GUEST_DAYS_MAX} />
            <p class="hint" id="no-limit">
              {words.noLimit}
            </p>
          </>
        )}
        <p class="actions">
          <button type="submit" name="action" value={guests ? 'close-guests' : 'create-guests'}>
            {guests ? words.close : words.create}
          </button>
        </p>
      </form>
    </section>
  )
}

function NumberField({ name, label, max }: { name: string; label: string; max: number }) {
  return (
    <p class="field">
      <label for={name}>{label}</label>
      <input id={name} type="number" name={name} min="1" max={String(max)} step="1" aria-describedby="no-limit" />
    </p>
  )
}

function GuestFacts({ language, url, imageCount, maxImages, expiresAtMs }: GuestLinkProps & { language: Language }) {
  const words = messagesIn(language).guests
  return (
    <>
      <CodeField language={language} id="guest-link" label={words.link} code={url} />
      <QrCodeImage label={messagesIn(language).upload.qrCode} text={url} />
      <dl class="facts">
        <dt>{words.addedByGuests}</dt>
        <dd>{formatNumber(language, imageCount)}</dd>
        {maxImages !== undefined && (
          <>
            <dt>{words.maxImages}</dt>
            <dd>{formatNumber(language, maxImages)}</dd>
          </>
        )}
        {expiresAtMs !== undefined && (
          <>
            <dt>{words.closesOn}</dt>
            <dd>{formatDay(language, expiresAtMs)}</dd>
          </>
        )}
      </dl>
    </>
  )
}

/** A QR code, dark on white in both themes, because not every phone reads the reverse. */
function QrCodeImage({ label, text }: { label: string; text: string }) {
  const code = qrCodeOf(text)
  if (!code) return null
  const size = code.length + 2 * QUIET_MODULES
  const path = code
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x + QUIET_MODULES} ${y + QUIET_MODULES}h1v1h-1z` : '')))
    .join('')
  return (
    <svg class="qr-image" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}

function maxCharacters(language: Language): string {
  return formatNumber(language, GALLERY_NAME_MAX_CHARACTERS)
}

/** The properties of manageDonePage. */
interface ManageDonePageProps {
  context: PageContext
  kind: ManagedKind
}

/** The response to a deletion from the management page. */
export function manageDonePage({ context, kind }: ManageDonePageProps): string {
  const { heading, explanation } = messagesIn(context.language).managed[kind].deleted
  return renderDocument({
    context,
    title: heading,
    head: PRIVATE_HEAD,
    narrow: true,
    children: (
      <>
        <h1>{heading}</h1>
        <p>{explanation}</p>
        <p class="actions">
          <a class="button" href={keepChosen(context, routes.home)}>
            {messagesIn(context.language).homeLink}
          </a>
          <a class="button" href={keepChosen(context, routes.uploads)}>
            {messagesIn(context.language).uploads.heading}
          </a>
        </p>
      </>
    ),
  })
}
