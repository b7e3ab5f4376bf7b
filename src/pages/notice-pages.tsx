import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import { renderDocument } from './document.tsx'
import type { Language } from './language.ts'
import { MESSAGES, type Notice } from './messages.ts'

/**
 * What link checkers look for (D28), with the apostrophe as it is. It alone goes around the escaping, so nobody can name
 * a gallery such that its pictures pass for missing.
 */
const PICTURE_DOES_NOT_EXIST = "Picture doesn't exist"
const GALLERY_DOES_NOT_EXIST = "Gallery doesn't exist"

export interface NoticePageProps {
  language: Language
}

export interface ErrorPageProps extends NoticePageProps {
  /** The X-Request-ID, by which the failure can be reported. */
  requestId: string
}

/** 404: a picture that is unknown, deleted or in an unfinished gallery (D28). */
export function missingPicturePage({ language }: NoticePageProps): string {
  return renderMissing(language, MESSAGES[language].missingPicture, PICTURE_DOES_NOT_EXIST)
}

/** 404: a gallery that is unknown, deleted or unfinished (D28). */
export function missingGalleryPage({ language }: NoticePageProps): string {
  return renderMissing(language, MESSAGES[language].missingGallery, GALLERY_DOES_NOT_EXIST)
}

/** 404: any other path (D19), and a management token that does not exist (D17). */
export function notFoundPage({ language }: NoticePageProps): string {
  const { heading, explanation } = MESSAGES[language].notFound
  return renderNotice(language, heading, <p>{explanation}</p>)
}

/** 410: a management token that is revoked, or whose content is deleted (D17). */
export function gonePage({ language }: NoticePageProps): string {
  const { heading, explanation } = MESSAGES[language].gone
  return renderNotice(language, heading, <p>{explanation}</p>)
}

/** 500: an unforeseen failure (D21). */
export function errorPage({ language, requestId }: ErrorPageProps): string {
  const { error, requestId: label } = MESSAGES[language]
  return renderNotice(
    language,
    error.heading,
    <>
      <p>{error.explanation}</p>
      <p>
        {label}: <code>{requestId}</code>
      </p>
    </>,
  )
}

function renderMissing(language: Language, { heading, explanation }: Notice, english: string): string {
  return renderNotice(
    language,
    heading,
    <>
      <p lang="en">{raw(english)}</p>
      <p>{explanation}</p>
    </>,
  )
}

function renderNotice(language: Language, heading: string, body: Child): string {
  return renderDocument({
    language,
    title: heading,
    head: <meta name="robots" content="noindex" />,
    children: (
      <>
        <h1>{heading}</h1>
        {body}
        <p>
          <a href="/">{MESSAGES[language].homeLink}</a>
        </p>
      </>
    ),
  })
}
