import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import * as routes from '../routes.ts'
import { renderDocument } from './document.tsx'
import { keepLanguage, type PageContext } from './page-context.ts'
import { quickStart, type Walk } from './quick-start.ts'

interface DocsPageProps {
  context: PageContext
}

/** The properties of quickStartPage. */
export interface QuickStartPageProps extends DocsPageProps {
  /** The origin of the service. */
  origin: string
}

/** The properties of referencePage. */
export interface ReferencePageProps extends DocsPageProps {
  /** Markup that was generated at build time. */
  reference: string
}

/** The properties of errorsPage. */
export interface ErrorsPageProps extends DocsPageProps {
  errors: readonly { code: string; status: number; cause: string; cure: string }[]
}

const CHAPTERS = [
  [routes.quickStart, 'Quick start'],
  [routes.reference, 'Reference'],
  [routes.errors, 'Errors'],
] as const

/** `/docs`: the quick start, in four programming languages. */
export function quickStartPage({ context, origin }: QuickStartPageProps): string {
  const walks = quickStart(origin)
  return docsPage(
    context,
    'Quick start',
    <>
      <p>
        Upload a picture, make a gallery, rename it, ask for a status, delete: with{' '}
        {walks.map(({ id, name }, i) => (
          <>
            {i > 0 && (i === walks.length - 1 ? ' or ' : ', ')}
            <a href={`#${id}`}>{name}</a>
          </>
        ))}
        . No account and no key is needed. Put a <code>photo.jpg</code> into the folder you work in.
      </p>
      <p>
        Share <code>show_url</code>. Keep <code>manage_url</code> to yourself: whoever has it can delete, and it cannot
        be recovered. Look at the status before you read a body: uploads explain errors in plain text.
      </p>
      <p>
        For machines: <a href={routes.openApi}>OpenAPI 3.1</a>.
      </p>
      {walks.map((walk) => (
        <WalkSection walk={walk} />
      ))}
    </>,
  )
}

function WalkSection({ walk: { id, name, needs, steps } }: { walk: Walk }) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{name}</h2>
      <p class="hint">{needs}</p>
      {steps.map(({ title, code }) => (
        <>
          <h3>{title}</h3>
          <pre dir="ltr" tabindex={0}>
            <code class={`language-${id}`}>{code}</code>
          </pre>
        </>
      ))}
    </section>
  )
}

/** `/docs/reference`: every operation, field, limit, status and header. */
export function referencePage({ context, reference }: ReferencePageProps): string {
  return docsPage(
    context,
    'Reference',
    <>
      <p>
        The same for machines: <a href={routes.openApi}>OpenAPI 3.1</a>. The examples are answers of a running service.
      </p>
      {raw(reference)}
    </>,
  )
}

/** `/docs/errors`: what each error means. */
export function errorsPage({ context, errors }: ErrorsPageProps): string {
  return docsPage(
    context,
    'Errors',
    <>
      <p>
        The codes are stable. An ApiError names its own in <code>error</code> and links to this page in{' '}
        <code>documentation_url</code>. Uploads and finalize say the same in one sentence of plain text.
      </p>
      {errors.map(({ code, status, cause, cure }) => (
        <section aria-labelledby={code}>
          <h2 id={code}>
            <code>{code}</code> <span class="muted">{status}</span>
          </h2>
          <p>{cause}</p>
          <p>{cure}</p>
        </section>
      ))}
    </>,
  )
}

/** The documentation is English; the header and footer around it are in the reader's language. */
function docsPage(context: PageContext, title: string, content: Child): string {
  return renderDocument({
    context,
    title: `${title} – API`,
    head: <meta name="description" content={`${title} of the Tintype API`} />,
    narrow: true,
    children: (
      <article class="docs" lang="en" dir="ltr">
        <nav aria-label="Documentation">
          <ul class="chapters">
            {CHAPTERS.map(([path, name]) => (
              <li>
                <a href={keepLanguage(context, path)} aria-current={name === title ? 'page' : undefined}>
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <h1>{title}</h1>
        {content}
      </article>
    ),
  })
}
