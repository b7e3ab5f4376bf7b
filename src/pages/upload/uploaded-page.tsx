import * as routes from '../../routes.ts'
import { CodeField, CodeGroups } from '../shell/code-fields.tsx'
import type { CodedImage } from '../shell/codes.ts'
import { renderDocument } from '../shell/document.tsx'
import { type Expiry, ExpiryTime } from '../shell/expiry-time.tsx'
import { messagesIn } from '../shell/messages.ts'
import { keepChosen, type PageContext } from '../shell/page-context.ts'
import { PRIVATE_HEAD } from '../shell/private-head.tsx'
import { describeOptimization, type Optimization } from './optimization.ts'

/** The properties of uploadedPage. */
export interface UploadedPageProps extends CodedImage {
  /** The name for people. */
  title: string
  context: PageContext
  thumbWidth: number
  thumbHeight: number
  /** Present if it was asked for. It is shown only this once. */
  manageUrl?: string | undefined
  /** Absent for an image that stays. */
  expiry?: Expiry | undefined
  /** The result of the optimization, if it was asked for; sizes in bytes. */
  optimization?: Optimization | undefined
}

/** The page after an upload without a script: the image's links and codes. */
export function uploadedPage(props: UploadedPageProps): string {
  const { context, pageUrl, thumbnailUrl, thumbWidth, thumbHeight, manageUrl, expiry } = props
  const { language } = context
  const messages = messagesIn(language)
  return renderDocument({
    context,
    title: messages.upload.results,
    head: PRIVATE_HEAD,
    scripts: ['page'],
    narrow: true,
    children: (
      <>
        <h1>{messages.upload.results}</h1>
        <p>
          <a href={pageUrl}>
            <img class="fitted" src={thumbnailUrl} width={thumbWidth} height={thumbHeight} alt={props.title} />
          </a>
        </p>
        <Savings {...props} />
        {expiry && (
          <p>
            {messages.expires} <ExpiryTime language={language} expiry={expiry} />
          </p>
        )}
        <CodeField language={language} id="code-link" label={messages.codes.link} code={pageUrl} />
        <CodeGroups context={context} images={[props]} />
        <p class="actions">
          <a class="button primary" href={pageUrl}>
            {messages.upload.openPage}
          </a>
          <a class="button" href={keepChosen(context, routes.home)}>
            {messages.upload.another}
          </a>
        </p>
        {manageUrl !== undefined && (
          <section class="card" aria-labelledby="private">
            <h2 id="private">{messages.upload.deleteLink}</h2>
            <p class="notice">{messages.upload.managementWarning}</p>
            <CodeField
              language={language}
              id="code-manage"
              label={messages.codes.link}
              what={messages.upload.deleteLink}
              code={manageUrl}
            />
          </section>
        )}
      </>
    ),
  })
}

function Savings({ context: { language }, optimization }: UploadedPageProps) {
  if (!optimization) return null
  return <p>{describeOptimization(language, messagesIn(language).upload, optimization)}</p>
}
