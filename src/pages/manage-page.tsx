import { GALLERY_NAME_MAX_CHARACTERS } from '../limits.ts'
import { renderDocument } from './document.tsx'
import { formatNumber, formatPlural } from './formatting.ts'
import type { Language } from './language.ts'
import { type ManagedKind, MESSAGES } from './messages.ts'

/** The address of the page is a token: it must not leak into a search engine or a Referer. */
const PRIVATE_HEAD = (
  <>
    <meta name="robots" content="noindex" />
    <meta name="referrer" content="no-referrer" />
  </>
)

export interface ManagePageProps {
  language: Language
  kind: ManagedKind
  /** Where the public finds it; like all URLs here absolute. */
  publicUrl: string
  /** As stored; empty for an untitled gallery. */
  name: string
  /** Of a gallery. */
  imageCount?: number | undefined
  /** Where the forms are posted: `action` is `rename` (with `name`) or `delete`. */
  actionUrl: string
  message?: 'renamed' | undefined
  error?: 'invalid_name' | undefined
  /** A name that was refused: it goes back into the form, to be mended. */
  refusedName?: string | undefined
}

/** What a management URL shows (specification, "Management token"): what it is, and forms that do what they say. */
export function managePage(props: ManagePageProps): string {
  const { language, kind, publicUrl, name, imageCount, actionUrl } = props
  const messages = MESSAGES[language]
  const managed = messages.managed[kind]
  return renderDocument({
    language,
    title: managed.heading,
    head: PRIVATE_HEAD,
    children: (
      <>
        <h1>{managed.heading}</h1>
        {props.message === 'renamed' && <p role="status">{messages.renamed}</p>}
        {props.error === 'invalid_name' && <p role="alert">{messages.invalidName(maxCharacters(language))}</p>}
        <dl class="facts">
          <dt>{messages.nameLabel}</dt>
          <dd dir="auto">{name || messages.untitledGallery}</dd>
          <dt>{messages.publicPage}</dt>
          <dd>
            <a href={publicUrl}>{publicUrl}</a>
          </dd>
        </dl>
        {imageCount !== undefined && <p>{formatPlural(language, messages.imageCount, imageCount)}</p>}
        <p>{managed.explanation}</p>
        {kind === 'gallery' && <RenameForm {...props} />}
        <h2>{managed.deleteHeading}</h2>
        <p id="delete-warning">{managed.deleteWarning}</p>
        <form method="post" action={actionUrl}>
          <button type="submit" name="action" value="delete" aria-describedby="delete-warning">
            {managed.deleteButton}
          </button>
        </form>
      </>
    ),
  })
}

function RenameForm({ language, actionUrl, name, error, refusedName }: ManagePageProps) {
  const messages = MESSAGES[language]
  return (
    <>
      <h2>{messages.rename}</h2>
      <form method="post" action={actionUrl} accept-charset="UTF-8">
        <label>
          {messages.nameLabel}
          <input
            type="text"
            name="name"
            value={refusedName ?? name}
            dir="auto"
            autocomplete="off"
            aria-describedby="name-hint"
            aria-invalid={error === 'invalid_name' ? 'true' : 'false'}
          />
        </label>
        <p id="name-hint">{messages.nameHint(maxCharacters(language))}</p>
        <button type="submit" name="action" value="rename">
          {messages.renameButton}
        </button>
      </form>
    </>
  )
}

function maxCharacters(language: Language): string {
  return formatNumber(language, GALLERY_NAME_MAX_CHARACTERS)
}

export interface ManageDonePageProps {
  language: Language
  kind: ManagedKind
}

/** The answer to a deletion from the management page. */
export function manageDonePage({ language, kind }: ManageDonePageProps): string {
  const { heading, explanation } = MESSAGES[language].managed[kind].deleted
  return renderDocument({
    language,
    title: heading,
    head: PRIVATE_HEAD,
    children: (
      <>
        <h1>{heading}</h1>
        <p>{explanation}</p>
      </>
    ),
  })
}
