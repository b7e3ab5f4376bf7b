import { raw } from 'hono/html'
import * as routes from '../../routes.ts'
import { CodeBlock } from '../shell/code-fields.tsx'
import type { PageContext } from '../shell/page-context.ts'
import { docsPage } from './docs-layout.tsx'
import { quickStart, STEP_TITLES, type Walk } from './quick-start.ts'

interface DocsPageProps {
  context: PageContext
}

/** The properties of quickStartPage. */
interface QuickStartPageProps extends DocsPageProps {
  /** The origin of the service. */
  origin: string
  /** A recorded response to each step, as JSON text. */
  responses: Readonly<Record<keyof typeof STEP_TITLES, string>>
}

/** An operation, as the sidebar of the reference names it. */
interface OperationLink {
  id: string
  method: string
  summary: string
  tag: string
}

/** The properties of referencePage. */
interface ReferencePageProps extends DocsPageProps {
  /** Markup that was generated at build time. */
  reference: string
  operations: readonly OperationLink[]
}

/** The properties of errorsPage. */
interface ErrorsPageProps extends DocsPageProps {
  errors: readonly { code: string; status: number; cause: string; fix: string }[]
}

/** `/docs`: the quick start, in four programming languages, of which the reader sees the one that is chosen. */
export function quickStartPage({ context, origin, responses }: QuickStartPageProps): string {
  const walks = quickStart(origin)
  return docsPage({
    context,
    title: 'Quick start',
    sections: Object.entries(STEP_TITLES).map(([id, title]) => ({ id, title })),
    children: (
      <>
        <p>
          Upload an image, make a gallery, rename it, ask for a status, delete. No account and no key is needed. Put a{' '}
          <code>photo.jpg</code> into the folder you work in.
        </p>
        <p>
          Share <code>show_url</code>. Keep <code>manage_url</code> to yourself: whoever has it can delete, and it
          cannot be recovered. Check the status before you read a body: uploads explain errors in plain text.
        </p>
        <LanguageChoice walks={walks} />
        {steps().map(([id, title], index) => (
          <section class="step" aria-labelledby={id}>
            <h2 id={id}>{title}</h2>
            <div class="beside">
              <div>
                {walks.map(({ id: language, steps }) => (
                  <div data-code={language}>
                    <CodeBlock language="en" id={`${id}-${language}`} name={`language-${language}`}>
                      {steps[index]?.code}
                    </CodeBlock>
                  </div>
                ))}
              </div>
              <div class="response">
                <p class="hint">Response</p>
                <pre tabindex={0}>
                  <code>{responses[id]}</code>
                </pre>
              </div>
            </div>
          </section>
        ))}
        <p>
          For machines: <a href={routes.openApi}>OpenAPI 3.1</a>, <a href={routes.openApiYaml}>the same in YAML</a>,{' '}
          <a href={routes.llmsTxt}>llms.txt</a>.
        </p>
      </>
    ),
  })
}

function steps(): [keyof typeof STEP_TITLES, string][] {
  return (['upload', 'gallery', 'rename', 'status', 'delete'] as const).map((id) => [id, STEP_TITLES[id]])
}

/** Chooses the programming language of all steps: the style shows the code of the one that is checked. */
function LanguageChoice({ walks }: { walks: readonly Walk[] }) {
  return (
    <>
      <fieldset class="code-choice">
        <legend>Programming language</legend>
        {walks.map(({ id, name }, index) => (
          <>
            <input type="radio" name="code" id={`choose-${id}`} checked={index === 0} autocomplete="off" />
            <label for={`choose-${id}`}>{name}</label>
          </>
        ))}
      </fieldset>
      {walks.map(({ id, needs }) => (
        <p class="hint" data-code={id}>
          {needs}
        </p>
      ))}
    </>
  )
}

/** `/docs/reference`: every operation, field, limit, status and header. */
export function referencePage({ context, reference, operations }: ReferencePageProps): string {
  return docsPage({
    context,
    title: 'Reference',
    sections: [
      ...operations.map(({ id, method, summary }) => ({ id, title: summary, method })),
      { id: 'schemas', title: 'Objects' },
    ],
    children: (
      <>
        <p>
          The same for machines: <a href={routes.openApi}>OpenAPI 3.1</a>. The examples are responses of a running
          service.
        </p>
        {raw(reference)}
      </>
    ),
  })
}

/** `/docs/errors`: what each error means. */
export function errorsPage({ context, errors }: ErrorsPageProps): string {
  return docsPage({
    context,
    title: 'Errors',
    children: (
      <>
        <p>
          The codes are stable. An ApiError names its own in <code>error</code> and links to this page in{' '}
          <code>documentation_url</code>. Uploads and finalize say the same in one sentence of plain text.
        </p>
        <table class="errors">
          <thead>
            <tr>
              <th scope="col">Code</th>
              <th scope="col">Status</th>
              <th scope="col">Cause</th>
              <th scope="col">Fix</th>
            </tr>
          </thead>
          <tbody>
            {errors.map(({ code, status, cause, fix }) => (
              <tr id={code}>
                <th scope="row">
                  <a href={`#${code}`}>
                    <code>{code}</code>
                  </a>
                </th>
                <td>{status}</td>
                <td>{cause}</td>
                <td>{fix}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </>
    ),
  })
}
