import type { Child } from 'hono/jsx'
import {
  CONTENT_URL_MAX_CHARACTERS,
  REPORT_CONTACT_MAX_CHARACTERS,
  REPORT_DETAILS_MAX_CHARACTERS,
} from '../../limits.ts'
import * as routes from '../../routes.ts'
import type { ReportReason } from '../messages/types.ts'
import { renderDocument } from '../shell/document.tsx'
import { format, formatNumber } from '../shell/formatting.ts'
import { messagesIn } from '../shell/messages.ts'
import { keepChosen, type PageContext } from '../shell/page-context.ts'

const NOT_INDEXED = <meta name="robots" content="noindex" />
const DETAILS_ROWS = 6

/** The entered texts, to be shown in the form again. */
export interface EnteredReport {
  url: string
  reason: string
  details: string
  contact: string
}

/** A field of the form. */
export type ReportField = keyof EnteredReport

/** Why a complete report was refused, or could not be read. */
export type ReportFailure = 'notFound' | 'tooMany' | 'unreadable'

/** The properties of reportPage. */
export interface ReportPageProps {
  context: PageContext
  /** The reasons to choose from, in this order. */
  reasons: readonly ReportReason[]
  entered: EnteredReport
  /** The fields that must be changed. */
  wrong?: readonly ReportField[]
  failure?: ReportFailure
}

/** The form to report an image or a gallery. After a refusal, it has what was entered, and says what to change. */
export function reportPage(props: ReportPageProps): string {
  const { context, failure } = props
  const messages = messagesIn(context.language).report
  return renderDocument({
    context,
    title: messages.heading,
    head: NOT_INDEXED,
    narrow: true,
    children: (
      <>
        <h1>{messages.heading}</h1>
        <p>{messages.explanation}</p>
        {failure !== undefined && failure !== 'notFound' && (
          <p class="error" role="alert">
            {messages[failure]}
          </p>
        )}
        <form method="post" action={keepChosen(context, routes.report)} accept-charset="UTF-8">
          <Address {...props} />
          <Reasons {...props} />
          <Details {...props} />
          <Contact {...props} />
          <p>
            <button type="submit" class="primary">
              {messages.submit}
            </button>
          </p>
        </form>
      </>
    ),
  })
}

function Address({ context, entered, wrong, failure }: ReportPageProps) {
  const messages = messagesIn(context.language).report
  const refused = wrong?.includes('url') ? messages.urlWrong : undefined
  const error = failure === 'notFound' ? messages.notFound : refused
  return (
    <Field name="url" label={messages.url} hint={messages.urlHint} error={error}>
      <input
        type="text"
        {...attributesOf('url', error)}
        value={entered.url.toWellFormed()}
        inputmode="url"
        dir="ltr"
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        required
        maxlength={CONTENT_URL_MAX_CHARACTERS}
      />
    </Field>
  )
}

function Reasons({ context, reasons, entered, wrong }: ReportPageProps) {
  const messages = messagesIn(context.language).report
  const refused = wrong?.includes('reason')
  return (
    <fieldset aria-describedby={refused ? 'report-reason-error' : undefined}>
      <legend>{messages.reason}</legend>
      {refused && <ErrorText name="reason" text={messages.reasonMissing} />}
      {reasons.map((reason) => (
        <label class="choice">
          <input type="radio" name="reason" value={reason} required checked={entered.reason === reason} />
          <span>{messages.reasons[reason]}</span>
        </label>
      ))}
    </fieldset>
  )
}

function Details({ context, entered, wrong }: ReportPageProps) {
  const messages = messagesIn(context.language).report
  const max = formatNumber(context.language, REPORT_DETAILS_MAX_CHARACTERS)
  const error = wrong?.includes('details') ? format(messages.detailsWrong, { maxCharacters: max }) : undefined
  return (
    <Field
      name="details"
      label={messages.details}
      hint={format(messages.detailsHint, { maxCharacters: max })}
      error={error}
    >
      <textarea
        {...attributesOf('details', error)}
        rows={DETAILS_ROWS}
        maxlength={REPORT_DETAILS_MAX_CHARACTERS}
        dir="auto"
      >
        {
          // A parser drops the first line break of a textarea, so one is added before the text.
          `\n${entered.details.toWellFormed()}`
        }
      </textarea>
    </Field>
  )
}

function Contact({ context, entered, wrong }: ReportPageProps) {
  const messages = messagesIn(context.language).report
  const max = formatNumber(context.language, REPORT_CONTACT_MAX_CHARACTERS)
  const error = wrong?.includes('contact') ? format(messages.contactWrong, { maxCharacters: max }) : undefined
  return (
    <Field name="contact" label={messages.contact} hint={messages.contactHint} error={error}>
      <input
        type="text"
        {...attributesOf('contact', error)}
        value={entered.contact.toWellFormed()}
        inputmode="email"
        autocomplete="email"
        autocapitalize="none"
        dir="auto"
        maxlength={REPORT_CONTACT_MAX_CHARACTERS}
      />
    </Field>
  )
}

interface FieldProps {
  name: ReportField
  label: string
  hint: string
  error: string | undefined
  children?: Child
}

/** A field under its label, and below it what is wrong with it, or else a hint. */
function Field({ name, label, hint, error, children }: FieldProps) {
  return (
    <>
      <p class="field">
        <label for={`report-${name}`}>{label}</label>
        {children}
      </p>
      {error === undefined ? (
        <p class="hint" id={`report-${name}-hint`}>
          {hint}
        </p>
      ) : (
        <ErrorText name={name} text={error} />
      )}
    </>
  )
}

function ErrorText({ name, text }: { name: ReportField; text: string }) {
  return (
    <p class="error" role="alert" id={`report-${name}-error`}>
      {text}
    </p>
  )
}

/** The name of a field, and the attributes that connect it to its error or hint. */
function attributesOf(name: ReportField, error: string | undefined) {
  const told = error === undefined ? 'hint' : 'error'
  return {
    id: `report-${name}`,
    name,
    'aria-describedby': `report-${name}-${told}`,
    'aria-invalid': error === undefined ? undefined : ('true' as const),
  }
}

/** The page after a report was stored. */
export function reportDonePage({ context }: { context: PageContext }): string {
  const messages = messagesIn(context.language)
  const { heading, explanation } = messages.report.done
  return renderDocument({
    context,
    title: heading,
    head: NOT_INDEXED,
    narrow: true,
    children: (
      <>
        <h1>{heading}</h1>
        <p role="status">{explanation}</p>
        <p>
          <a href={keepChosen(context, routes.home)}>{messages.homeLink}</a>
        </p>
      </>
    ),
  })
}
