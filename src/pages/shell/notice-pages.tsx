import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import * as routes from '../../routes.ts'
import type { Notice } from '../messages/types.ts'
import { renderDocument } from './document.tsx'
import { messagesIn } from './messages.ts'
import { keepChosen, type PageContext } from './page-context.ts'

/**
 * The text that link checkers look for (D28), with an unescaped apostrophe. All other text is escaped, so that no gallery name
 * can make images look missing.
 */
const IMAGE_DOES_NOT_EXIST = "Picture doesn't exist"
const GALLERY_DOES_NOT_EXIST = "Gallery doesn't exist"

/** The properties of pages that say one thing. */
interface NoticePageProps {
  context: PageContext
}

/** The properties of pages for content that is not there. */
interface MissingPageProps extends NoticePageProps {
  /** Whether it was public until its time was over (D62). */
  isExpired?: boolean
}

/** The properties of pages for errors. */
export interface ErrorPageProps extends NoticePageProps {
  /** The X-Request-ID, to report the failure with. */
  requestId: string
}

/** 404: an image that is unknown, deleted or in an unfinished gallery (D28); 410: one that has expired. */
export function missingImagePage(props: MissingPageProps): string {
  return renderMissing(props, messagesIn(props.context.language).missingImage, IMAGE_DOES_NOT_EXIST)
}

/** 404: a gallery that is unknown, deleted or unfinished (D28); 410: one that has expired. */
export function missingGalleryPage(props: MissingPageProps): string {
  return renderMissing(props, messagesIn(props.context.language).missingGallery, GALLERY_DOES_NOT_EXIST)
}

/** 404: any other path (D19), and a management token that does not exist (D17). */
export const notFoundPage = noticePage('notFound')

/** 410: a management token that is revoked, or whose content is deleted (D17). */
export const deletedPage = noticePage('deletedNotice')

/** 429: a limit of the operator's (D40). */
export const limitReachedPage = noticePage('limitReached')

/** 403: a form that a page of another site sent. */
export const foreignFormPage = noticePage('foreignForm')

/** Other 4xx: the form or the address is wrong. */
export const badRequestPage = noticePage('badRequest')

/** 5xx: an unexpected failure (D21). */
export function errorPage({ context, requestId }: ErrorPageProps): string {
  const { error, requestId: label } = messagesIn(context.language)
  return renderNotice(
    context,
    error.heading,
    <>
      <p>{error.explanation}</p>
      <p>
        {label}
        <br />
        <code>{requestId}</code>
      </p>
    </>,
  )
}

/** Returns the page that says one of these messages. */
function noticePage(
  message: 'notFound' | 'deletedNotice' | 'limitReached' | 'foreignForm' | 'badRequest',
): (props: NoticePageProps) => string {
  return ({ context }) => {
    const { heading, explanation } = messagesIn(context.language)[message]
    return renderNotice(context, heading, <p>{explanation}</p>)
  }
}

function renderMissing(
  { context, isExpired }: MissingPageProps,
  { heading, explanation }: Notice,
  english: string,
): string {
  return renderNotice(
    context,
    heading,
    <>
      <p>{isExpired ? messagesIn(context.language).expiredHint : explanation}</p>
      {/* For programs: people read the same in the heading. */}
      <p class="visually-hidden" lang="en" aria-hidden="true">
        {raw(english)}
      </p>
    </>,
  )
}

function renderNotice(context: PageContext, heading: string, body: Child): string {
  return renderDocument({
    context,
    title: heading,
    head: <meta name="robots" content="noindex" />,
    narrow: true,
    children: (
      <>
        <h1>{heading}</h1>
        {body}
        <p>
          <a class="button" href={keepChosen(context, routes.home)}>
            {messagesIn(context.language).homeLink}
          </a>
        </p>
      </>
    ),
  })
}
