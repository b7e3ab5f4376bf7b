import type { Child } from 'hono/jsx'
import * as routes from '../../routes.ts'
import { renderDocument } from '../shell/document.tsx'
import { keepChosen, type PageContext } from '../shell/page-context.ts'

const CHAPTERS = [
  [routes.quickStart, 'Quick start'],
  [routes.reference, 'Reference'],
  [routes.errors, 'Errors'],
  [routes.tools, 'Tools'],
] as const

interface DocsFrameProps {
  context: PageContext
  /** One of CHAPTERS. */
  title: (typeof CHAPTERS)[number][1]
  /** The heading, where it is not the title. */
  heading?: string
  /** The meta description for search engines. */
  description?: string
  /** The parts of the page, with the method of an operation. */
  sections?: readonly { id: string; title: string; method?: string }[]
  children: Child
}

/** A page of the documentation, with all of it at the side. It is English; the frame around it is in the reader's language. */
export function docsPage({ context, title, heading = title, description, sections = [], children }: DocsFrameProps) {
  return renderDocument({
    context,
    title: heading === title ? `${title} – API` : heading,
    head: <meta name="description" content={description ?? `${title} of the Tintype API`} />,
    scripts: ['page'],
    children: (
      <article class="docs" lang="en" dir="ltr">
        <nav class="sidebar" aria-label="Documentation">
          <ul>
            {CHAPTERS.map(([path, name]) => (
              <li>
                <a href={keepChosen(context, path)} aria-current={name === title ? 'page' : undefined}>
                  {name}
                </a>
                {name === title && sections.length > 0 && (
                  <ul>
                    {sections.map(({ id, title, method }) => (
                      <li>
                        <a href={`#${id}`}>
                          {method !== undefined && <Method name={method} />} {title}
                        </a>
                      </li>
                    ))}
                  </ul>
                )}
              </li>
            ))}
          </ul>
        </nav>
        <div>
          <h1>{heading}</h1>
          {children}
        </div>
      </article>
    ),
  })
}

/** The method of an operation, in its colour. */
function Method({ name }: { name: string }) {
  return <span class={`method ${name}`}>{name.toUpperCase()}</span>
}
