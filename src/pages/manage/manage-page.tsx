import { GALLERY_NAME_MAX_CHARACTERS } from '../../limits.ts'
import * as routes from '../../routes.ts'
import type { ManagedKind } from '../messages/types.ts'
import { CodeField } from '../shell/code-fields.tsx'
import { renderDocument } from '../shell/document.tsx'
import { FileName } from '../shell/file-name.tsx'
import { format, formatNumber, formatPlural } from '../shell/formatting.ts'
import { Icon } from '../shell/icons.tsx'
import type { Language } from '../shell/language.ts'
import { messagesIn } from '../shell/messages.ts'
import { keepChosen, type PageContext } from '../shell/page-context.ts'
import { Pagination, type PaginationProps } from '../shell/pagination.tsx'
import { PRIVATE_HEAD } from '../shell/private-head.tsx'

/** A thumbnail with its size. */
interface Thumbnail {
  url: string
  width: number
  height: number
}

/** An image of a managed gallery. */
interface ManagedImage {
  /** Names it in the form: `<dir>/<id>_<name>`. */
  path: string
  pageUrl: string
  name: string
  /** Absent for NSFW images. */
  thumbnail?: Thumbnail | undefined
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
  /** Its thumbnail, if it may be shown. */
  thumbnail?: Thumbnail | undefined
  /** Those of a public gallery. */
  images?: ManagedImages | undefined
  /** Where the forms are posted: `action` is `rename` (with `name`), `delete` (with `confirm`) or `delete-image` (with `image`). */
  actionUrl: string
  /** The name before, if the gallery was just renamed. */
  renamedFrom?: string | undefined
  /** The name of the image that was just deleted. */
  deletedImage?: string | undefined
  error?: 'invalid_name' | 'not_confirmed' | 'image_deleted' | undefined
  /** Number of images of the same share that could not be stored. */
  failed?: number | undefined
  /** A name that was refused, to be corrected in the form. */
  refusedName?: string | undefined
}

/** The page at a management URL (specification, "Management token"): describes the content, with forms to rename or delete it. */
export function managePage(props: ManagePageProps): string {
  const { context, kind, publicUrl, name, imageCount, thumbnail, images, renamedFrom, error, failed } = props
  const { language } = context
  const messages = messagesIn(language)
  const managed = messages.managed[kind]
  return renderDocument({
    context,
    title: managed.heading,
    head: PRIVATE_HEAD,
    scripts: ['page'],
    narrow: true,
    children: (
      <>
        <h1>{managed.heading}</h1>
        {failed !== undefined && (
          <p class="error" role="alert">
            {formatPlural(language, messages.upload.someFailed, failed)}
          </p>
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
        </dl>
        <CodeField language={language} id="code-link" label={messages.publicPage} code={publicUrl} />
        <p class="actions">
          <a class="button" href={publicUrl}>
            {messages.upload.openPage}
          </a>
        </p>
        {kind === 'gallery' && <RenameForm {...props} />}
        {images && <Images {...props} images={images} />}
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

/** The images of a gallery. Each has a button that deletes it, behind one that unfolds it. */
function Images(props: ManagePageProps & { images: ManagedImages }) {
  const { context, actionUrl, images, deletedImage, error } = props
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
      {error === 'image_deleted' && (
        <p class="error" role="alert">
          {messages.deletedNotice.heading}
        </p>
      )}
      <form method="post" action={`${pageOf(actionUrl, images.page)}#${anchor}`}>
        <input type="hidden" name="action" value="delete-image" />
        <ul class="managed-images">
          {images.items.map((image) => (
            <ManagedImageItem language={language} {...image} />
          ))}
        </ul>
      </form>
      <Pagination context={context} {...images} />
    </section>
  )
}

function ManagedImageItem({ language, path, pageUrl, name, thumbnail }: ManagedImage & { language: Language }) {
  const messages = messagesIn(language)
  return (
    <li>
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
      <details>
        <summary>
          {messages.uploads.delete} <span class="visually-hidden">{name}</span>
        </summary>
        <button class="danger" type="submit" name="image" value={path}>
          {messages.confirmDelete}
        </button>
      </details>
    </li>
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

function maxCharacters(language: Language): string {
  return formatNumber(language, GALLERY_NAME_MAX_CHARACTERS)
}

/** The properties of manageDonePage. */
export interface ManageDonePageProps {
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
