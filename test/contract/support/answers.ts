import { expect } from 'vitest'
import { type Answer, header } from './client.ts'

/** The specification's UploadResponse, read from an answer. */
export interface Uploaded {
  name: string
  showUrl: string
  thumbnailUrl: string
  /** The direct address of the stored file, made as programs make it: `//t` -> `//img`, `/thumbs/` -> `/images/`. */
  originalUrl: string
  thumbnail: { width: number; height: number }
  manageUrl: string | undefined
  managementToken: string
  optimization: Record<string, unknown> | undefined
  /** Exactly what came. */
  fields: Record<string, unknown>
}

/** The specification's GalleryCreateResponse, read from an answer. */
export interface CreatedGallery {
  name: string
  hash: string
  url: string
  uploadToken: string
  manageUrl: string | undefined
  managementToken: string
  /** Both fields that an upload into this gallery sends. */
  fields: { gallery_hash: string; gallery_upload_hash: string }
}

/** A 200 with a JSON object (D23), as a record. */
export function expectJson(answer: Answer): Record<string, unknown> {
  expect(answer.status, answer.text).toBe(200)
  expect(header(answer, 'content-type')).toBe('application/json; charset=UTF-8')
  return record(answer)
}

/** A successful upload. */
export function expectUploaded(answer: Answer): Uploaded {
  const fields = expectJson(answer)
  const thumbnailUrl = text(fields, 'th_url')
  const manageUrl = fields.manage_url === undefined ? undefined : text(fields, 'manage_url')
  return {
    name: text(fields, 'name'),
    showUrl: text(fields, 'show_url'),
    thumbnailUrl,
    originalUrl: thumbnailUrl.replace(/\/\/t(?=\d)/, '//img').replace('/thumbs/', '/images/'),
    thumbnail: { width: Number(fields.thumb_width), height: Number(fields.thumb_height) },
    manageUrl,
    managementToken: manageUrl?.split('/').at(-1) ?? '',
    optimization: isRecord(fields.optimization) ? fields.optimization : undefined,
    fields,
  }
}

/** A successfully created gallery. */
export function expectCreated(answer: Answer): CreatedGallery {
  const fields = expectJson(answer)
  const manageUrl = fields.manage_url === undefined ? undefined : text(fields, 'manage_url')
  const [hash, uploadToken] = [text(fields, 'gallery_hash'), text(fields, 'gallery_upload_hash')]
  return {
    name: text(fields, 'gallery_name'),
    hash,
    url: text(fields, 'gallery_url'),
    uploadToken,
    manageUrl,
    managementToken: manageUrl?.split('/').at(-1) ?? '',
    fields: { gallery_hash: hash, gallery_upload_hash: uploadToken },
  }
}

/** The statuses of a status answer, in its order. */
export function expectStatuses(answer: Answer): string[] {
  const { results } = expectJson(answer)
  if (!Array.isArray(results)) throw new Error(`results is no array: ${answer.text}`)
  return results.map((result: unknown) => (isRecord(result) ? text(result, 'status') : 'no object'))
}

/** D21 on uploads and finalize: the status, and one plain sentence that no client takes for JSON. */
export function expectTextError(answer: Answer, status: number): void {
  expect({ status: answer.status, body: answer.text }).toEqual({
    status,
    body: expect.stringMatching(/^[^\s{["].*\S$/),
  })
  expect(header(answer, 'content-type')).toBe('text/plain; charset=UTF-8')
  expectErrorHeaders(answer, expect.stringMatching(/^[a-z]+(_[a-z]+)*$/))
}

/** D43: the code of an error, and where that is documented. */
export function expectErrorHeaders(answer: Answer, code: string): void {
  expect(header(answer, 'x-error-code')).toEqual(code)
  const link = new RegExp(`^<https?://[^/>]+/docs/errors#${header(answer, 'x-error-code')}>; rel="help"$`)
  expect(header(answer, 'link')).toMatch(link)
}

/** D21 elsewhere: the status, and an ApiError that leads to the documentation of its code. */
export function expectApiError(answer: Answer, status: number): void {
  expect(answer.status, answer.text).toBe(status)
  expect(header(answer, 'content-type')).toBe('application/json; charset=UTF-8')
  const error = record(answer)
  expect(error).toEqual({
    success: false,
    error: expect.stringMatching(/^[a-z]+(_[a-z]+)*$/),
    message: expect.stringMatching(/\S/),
    request_id: header(answer, 'x-request-id'),
    documentation_url: expect.stringMatching(new RegExp(`^https?://[^/]+/docs/errors#${error.error}$`)),
  })
  expectErrorHeaders(answer, String(error.error))
}

function record(answer: Answer): Record<string, unknown> {
  const value: unknown = JSON.parse(answer.text)
  if (!isRecord(value)) throw new Error(`the body is no JSON object: ${answer.text}`)
  return value
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function text(fields: Record<string, unknown>, name: string): string {
  const value = fields[name]
  if (typeof value !== 'string') throw new Error(`${name} is no text: ${JSON.stringify(fields)}`)
  return value
}
