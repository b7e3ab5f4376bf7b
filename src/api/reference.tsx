import type { Child } from 'hono/jsx'
import { MIB } from 'tintype-codec/units'
import * as z from 'zod'
import { ERRORS, type ErrorCode } from '../errors.ts'
import * as routes from '../routes.ts'
import { componentSchemas, type DocumentSources, type Example, INTRODUCTION } from './document.ts'
import { HEADERS, type HeaderName, wireName } from './headers.ts'
import { legacyNote } from './legacy-statuses.ts'
import {
  type ErrorStyle,
  OPERATIONS,
  type Operation,
  type OperationResponse,
  type Parameter,
  type RequestBody,
  TAGS,
  type Tag,
} from './operations.ts'

type Schema = z.core.JSONSchema.BaseSchema
const SCHEMAS = componentSchemas()

/**
 * The reference of the API as markup for `/docs/reference`, from the same tables as the OpenAPI document. It is generated at
 * build time; the Worker only sends it.
 */
export function referenceMarkup(sources: DocumentSources): string {
  const tags = Object.keys(TAGS).filter((tag): tag is Tag => Object.hasOwn(TAGS, tag))
  const markup = (
    <>
      {INTRODUCTION.map((paragraph) => (
        <p>{inlineCode(paragraph)}</p>
      ))}
      {tags.map((tag) => (
        <>
          <h2>{tag}</h2>
          <p>{TAGS[tag]}</p>
          {OPERATIONS.filter((operation) => operation.tag === tag).map((operation) => (
            <OperationSection operation={operation} sources={sources} />
          ))}
        </>
      ))}
      <h2 id="schemas">Objects</h2>
      {Object.entries(SCHEMAS).map(([name, schema]) => (
        <section aria-labelledby={`schema-${name}`}>
          <h3 id={`schema-${name}`}>{name}</h3>
          <p>{schema.description}</p>
          <Fields schema={schema} />
        </section>
      ))}
    </>
  )
  return String(markup)
}

function OperationSection({ operation, sources }: { operation: Operation; sources: DocumentSources }) {
  const { id, method, path, summary, description, parameters = [], body, responses, errors } = operation
  const examples = sources.examples.filter((example) => example.operation === id)
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{summary}</h3>
      <p>
        <span class={`method ${method}`}>{method.toUpperCase()}</span> <code>{path}</code>
      </p>
      <div class="beside">
        <div>
          {description.map((paragraph) => (
            <p>{inlineCode(paragraph)}</p>
          ))}
          {parameters.length > 0 && <Parameters parameters={parameters} />}
          {body && (
            <>
              <p>
                Body{body.required ? '' : ' (optional)'}:{' '}
                {listed(mediaTypesOf(body).map((type) => <code>{type}</code>))}
              </p>
              <Fields schema={SCHEMAS[idOf(body.schema)] ?? {}} />
            </>
          )}
          {Object.entries(responses).map(([status, response]) => (
            <ResponseLine status={status} response={response} />
          ))}
          <Errors codes={errors.codes} style={errors.style} />
        </div>
        {examples.length > 0 && (
          <div class="response">
            {examples.map((example, index) => (
              <ExampleDetails example={example} open={index === 0} />
            ))}
          </div>
        )}
      </div>
    </section>
  )
}

function Parameters({ parameters }: { parameters: readonly Parameter[] }) {
  return (
    <dl>
      {parameters.map(({ name, in: location, description }) => (
        <>
          <dt>
            <code>{name}</code> <span class="muted">in the {location}</span>
          </dt>
          <dd>{description}</dd>
        </>
      ))}
    </dl>
  )
}

function Fields({ schema }: { schema: Schema }) {
  if (schema.anyOf) {
    return <p>One of {listed(schema.anyOf.map((one) => typeName(one)))}.</p>
  }
  return (
    <dl>
      {Object.entries(schema.properties ?? {}).map(([name, property]) => (
        <>
          <dt>
            <code>{name}</code>{' '}
            <span class="muted">
              {typeName(property)}
              {schema.required?.includes(name) ? ', required' : ''}
            </span>
          </dt>
          <dd>{typeof property === 'object' && property.description}</dd>
        </>
      ))}
    </dl>
  )
}

/** The type of a value and its bounds, in a few words. */
function typeName(schema: Schema | boolean | undefined): Child {
  if (typeof schema !== 'object') return 'anything'
  const referred = schema.$ref ?? schema.allOf?.find((one) => one.$ref)?.$ref
  if (referred) {
    const name = referred.split('/').at(-1) ?? ''
    return <a href={`#schema-${name}`}>{name}</a>
  }
  if (schema.const !== undefined) return `always ${JSON.stringify(schema.const)}`
  if (schema.enum) return schema.enum.join(' | ')
  if (schema.type === 'array')
    return <>array of {typeName(Array.isArray(schema.items) ? schema.items[0] : schema.items)}</>
  if (schema.type === 'object') return <>{`{ ${Object.keys(schema.properties ?? {}).join(', ')} }`}</>
  if (schema.format === 'binary') return `file, at most ${Number(schema.maxLength) / MIB} MB`
  return [schema.format ?? schema.type, boundsOf(schema)].filter((part) => part).join(', ')
}

function boundsOf({ minimum, maximum, maxLength }: Schema): string {
  if (minimum !== undefined) return maximum === undefined ? `at least ${minimum}` : `${minimum} to ${maximum}`
  return maxLength === undefined ? '' : `at most ${maxLength} characters`
}

function mediaTypesOf({ types, extensionTypes = [] }: RequestBody): readonly string[] {
  return [...types, ...extensionTypes]
}

function ResponseLine({ status, response }: { status: string; response: OperationResponse }) {
  const { description, headers, json, types = [] } = response
  return (
    <p>
      <strong>{status}</strong> {description}{' '}
      {json && (
        <>
          Body: <a href={`#schema-${idOf(json)}`}>{idOf(json)}</a>.{' '}
        </>
      )}
      {types.length > 0 && <>Type: {listed(types.map((type) => <code>{type}</code>))}. </>}
      {headers.length > 0 && <>Headers: {listed(headers.map((name) => <HeaderTerm name={name} />))}.</>}
    </p>
  )
}

function HeaderTerm({ name }: { name: HeaderName }) {
  return (
    <abbr title={HEADERS[name].description}>
      <code>{wireName(name)}</code>
    </abbr>
  )
}

const ERROR_FORMS: Readonly<Record<ErrorStyle, Child>> = {
  text: 'plain text',
  json: <a href="#schema-ApiError">ApiError</a>,
  described: <a href="#schema-FormError">FormError</a>,
}

interface ErrorsProps {
  codes: readonly ErrorCode[]
  style: ErrorStyle
}

function Errors({ codes, style }: ErrorsProps) {
  const ordered = [...new Set(codes.map((code) => ERRORS[code].status))].sort()
  const rows = ordered.map((status) => [status, codes.filter((code) => ERRORS[code].status === status)] as const)
  return (
    <table>
      <caption>Errors, as {ERROR_FORMS[style]}</caption>
      <thead>
        <tr>
          <th scope="col">Status</th>
          <th scope="col">Code</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([status, ofStatus]) => (
          <tr>
            <th scope="row">{status}</th>
            <td>
              {listed(
                ofStatus.map((code) => (
                  <a href={`${routes.errors}#${code}`}>
                    <code>{code}</code>
                  </a>
                )),
              )}{' '}
              <span class="muted">{legacyNote(ofStatus, status)}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function ExampleDetails({ example: { title, status, body }, open }: { example: Example; open: boolean }) {
  return (
    <details open={open}>
      <summary>
        Example: {title} ({status})
      </summary>
      <pre dir="ltr" tabindex={0}>
        <code>{typeof body === 'string' ? body : JSON.stringify(body, null, 2)}</code>
      </pre>
    </details>
  )
}

function listed(items: readonly Child[]): Child {
  return items.map((item, i) => (
    <>
      {i > 0 ? ', ' : ''}
      {item}
    </>
  ))
}

/** Text with the words between backticks as code. */
function inlineCode(text: string): Child {
  return text.split('`').map((part, i) => (i % 2 === 1 ? <code>{part}</code> : part))
}

function idOf(schema: z.ZodType): string {
  return z.globalRegistry.get(schema)?.id ?? ''
}
