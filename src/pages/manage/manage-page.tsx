import { GALLERY_NAME_MAX_CHARACTERS } from '../../limits.ts'
import type { ManagedKind } from '../messages/types.ts'
import { CodeField } from '../shell/code-fields.tsx'
import { renderDocument } from '../shell/document.tsx'
import { format, formatNumber, formatPlural } from '../shell/formatting.ts'
import type { Language } from '../shell/language.ts'
import { messagesIn } from '../shell/messages.ts'
import type { PageContext } from '../shell/page-context.ts'
import { PRIVATE_HEAD } from '../shell/private-head.tsx'

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
  thumbnail?: { url: string; width: number; height: number } | undefined
  /** Where the forms are posted: `action` is `rename` (with `name`) or `delete` (with `confirm`). */
  actionUrl: string
  message?: 'renamed' | undefined
  error?: 'invalid_name' | 'not_confirmed' | undefined
  /** Number of images of the same share that could not be stored. */
  failed?: number | undefined
  /** A name that was refused, to be corrected in the form. */
  refusedName?: string | undefined
}

/** The page at a management URL (specification, "Management token"): describes the content, with forms to rename or delete it. */
export function managePage(props: ManagePageProps): string {
  const { context, kind, publicUrl, name, imageCount, thumbnail, message, error, failed } = props
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
        {message === 'renamed' && (
          <p class="notice" role="status">
            {messages.renamed}
          </p>
        )}
        <p>{managed.explanation}</p>
        {thumbnail && (
          <img class="fitted" src={thumbnail.url} width={thumbnail.width} height={thumbnail.height} alt="" />
        )}
        <dl class="facts">
          <dt>{messages.nameLabel}</dt>
          <dd dir="auto">{name || messages.untitledGallery}</dd>
          {imageCount !== undefined && (
            <>
              <dt>{messages.gallery}</dt>
              <dd>{formatPlural(language, messages.imageCount, imageCount)}</dd>
            </>
          )}
          <dt>{messages.publicPage}</dt>
          <dd>
            <a href={publicUrl}>{publicUrl}</a>
          </dd>
        </dl>
        <CodeField language={language} id="code-link" label={messages.codes.link} code={publicUrl} />
        {kind === 'gallery' && <RenameForm {...props} />}
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
      </>
    ),
  })
}
