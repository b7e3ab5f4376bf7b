import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import { renderDocument } from './document.tsx'
import { type Frame, keepLanguage } from './frame.ts'
import type { Notice } from './message-types.ts'
import { MESSAGES } from './messages.ts'

/**
 * What link checkers look for (D28), with the apostrophe as it is. It alone goes around the escaping, so nobody can name
 * a gallery such that its pictures pass for missing.
 */
const PICTURE_DOES_NOT_EXIST = "Picture doesn't exist"
const GALLERY_DOES_NOT_EXIST = "Gallery doesn't exist"

export interface NoticePageProps {
  frame: Frame
}

export interface ErrorPageProps extends NoticePageProps {
  /** The X-Request-ID, by which the failure can be reported. */
  requestId: string
}

/** 404: a picture that is unknown, deleted or in an unfinished gallery (D28). */
export function missingPicturePage({ frame }: NoticePageProps): string {
  return renderMissing(frame, MESSAGES[frame.language].missingPicture, PICTURE_DOES_NOT_EXIST)
}

/** 404: a gallery that is unknown, deleted or unfinished (D28). */
export function missingGalleryPage({ frame }: NoticePageProps): string {
  return renderMissing(frame, MESSAGES[frame.language].missingGallery, GALLERY_DOES_NOT_EXIST)
}

/** 404: any other path (D19), and a management token that does not exist (D17). */
export function notFoundPage({ frame }: NoticePageProps): string {
  const { heading, explanation } = MESSAGES[frame.language].notFound
  return renderNotice(frame, heading, <p>{explanation}</p>)
}

/** 410: a management token that is revoked, or whose content is deleted (D17). */
export function gonePage({ frame }: NoticePageProps): string {
  const { heading, explanation } = MESSAGES[frame.language].gone
  return renderNotice(frame, heading, <p>{explanation}</p>)
}

/** 4xx: a form that did not arrive as it was sent. */
export function badRequestPage({ frame }: NoticePageProps): string {
  const { heading, explanation } = MESSAGES[frame.language].badRequest
  return renderNotice(frame, heading, <p>{explanation}</p>)
}

/** 500: an unforeseen failure (D21). */
export function errorPage({ frame, requestId }: ErrorPageProps): string {
  const { error, requestId: label } = MESSAGES[frame.language]
  return renderNotice(
    frame,
    error.heading,
    <>
      <p>{error.explanation}</p>
      <dl class="facts">
        <dt>{label}</dt>
        <dd>
          <code>{requestId}</code>
        </dd>
      </dl>
    </>,
  )
}

function renderMissing(frame: Frame, { heading, explanation }: Notice, english: string): string {
  return renderNotice(
    frame,
    heading,
    <>
      <p lang="en">{raw(english)}</p>
      <p>{explanation}</p>
    </>,
  )
}

function renderNotice(frame: Frame, heading: string, body: Child): string {
  return renderDocument({
    frame,
    title: heading,
    head: <meta name="robots" content="noindex" />,
    narrow: true,
    children: (
      <>
        <h1>{heading}</h1>
        {body}
        <p>
          <a class="button" href={keepLanguage(frame, '/')}>
            {MESSAGES[frame.language].homeLink}
          </a>
        </p>
      </>
    ),
  })
}
