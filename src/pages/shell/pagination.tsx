import { format, formatNumber } from './formatting.ts'
import { Icon } from './icons.tsx'
import { messagesIn } from './messages.ts'
import { keepChosen, type PageContext } from './page-context.ts'

/** The properties of Pagination. */
export interface PaginationProps {
  context: PageContext
  /** From 1. */
  page: number
  pageCount: number
  /** Absolute. */
  previousUrl?: string | undefined
  nextUrl?: string | undefined
}

/** The links between the pages of a gallery; nothing if there is only one. */
export function Pagination({ context, page, pageCount, previousUrl, nextUrl }: PaginationProps) {
  if (pageCount <= 1) return null
  const { language } = context
  const messages = messagesIn(language)
  return (
    <nav class="pages" aria-label={messages.pages}>
      {previousUrl !== undefined && (
        <a class="button" rel="prev" href={keepChosen(context, previousUrl)}>
          <Icon name="backwards" /> {messages.previousPage}
        </a>
      )}
      <span>
        {format(messages.pageOf, { page: formatNumber(language, page), pageCount: formatNumber(language, pageCount) })}
      </span>
      {nextUrl !== undefined && (
        <a class="button" rel="next" href={keepChosen(context, nextUrl)}>
          {messages.nextPage} <Icon name="forwards" />
        </a>
      )}
    </nav>
  )
}
