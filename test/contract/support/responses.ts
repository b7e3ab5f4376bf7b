import { expect } from 'vitest'
import { type ApiResponse, header } from './client.ts'

/** The specification's UploadResponse, read from a response. */
export interface Uploaded {
  name: string
  showUrl: string
  thumbnailUrl: string
  /** The direct address of the stored file, derived as programs do: `//t` -> `//img`, `/thumbs/` -> `/images/`. */
  originalUrl: string
  thumbnail: { width: number; height: number }
  manageUrl: string | undefined
  managementToken: string
  optimization: Record<string, unknown> | undefined
  /** All received fields, unchanged. */
  fields: Record<string, unknown>
}

/** The specification's GalleryCreateResponse, read from a response. */
export interface CreatedGallery {
  name: string
  hash: string
  url: string
  uploadToken: string
  manageUrl: string | undefined
  managementToken: string
  /** Both fields of an upload into this gallery. */
  fields: { gallery_hash: string; gallery_upload_hash: string }
}

/** Expects 200 with a JSON object (D23). Returns the object. */
export function expectJson(response: ApiResponse): Record<string, unknown> {
  expect(response.status, response.text).toBe(200)
  expect(header(response, 'content-type')).toBe('application/json; charset=UTF-8')
  return record(response)
}

/** Expects a successful upload. */
export function expectUploaded(response: ApiResponse): Uploaded {
  const fields = expectJson(response)
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

/** Expects a gallery that was created. */
export function expectCreated(response: ApiResponse): CreatedGallery {
  const fields = expectJson(response)
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

/** Returns the statuses of a status response, in its order. */
export function expectStatuses(response: ApiResponse): string[] {
  const { results } = expectJson(response)
  if (!Array.isArray(results)) throw new Error(`results is no array: ${response.text}`)
  return results.map((result: unknown) => (isRecord(result) ? text(result, 'status') : 'no object'))
}

/** Expects an error of uploads and finalize (D21): the status, and one plain sentence that no client parses as JSON. */
export function expectTextError(response: ApiResponse, status: number): void {
  expect({ status: response.status, body: response.text }).toEqual({
    status,
    body: expect.stringMatching(/^[^\s{["].*\S$/),
  })
  expect(header(response, 'content-type')).toBe('text/plain; charset=UTF-8')
  expectErrorHeaders(response, expect.stringMatching(/^[a-z]+(_[a-z]+)*$/))
}

/** Expects the headers with the code of an error and the link to its documentation (D43). */
export function expectErrorHeaders(response: ApiResponse, code: string): void {
  expect(header(response, 'x-error-code')).toEqual(code)
  const link = new RegExp(`^<https?://[^/>]+/docs/errors#${header(response, 'x-error-code')}>; rel="help"$`)
  expect(header(response, 'link')).toMatch(link)
}

/**
 * Expects an error of other operations (D21): the status, and an ApiError with the link to the documentation of its
 * code.
 */
export function expectApiError(response: ApiResponse, status: number): void {
  expect(response.status, response.text).toBe(status)
  expect(header(response, 'content-type')).toBe('application/json; charset=UTF-8')
  const error = record(response)
  expect(error).toEqual({
    success: false,
    error: expect.stringMatching(/^[a-z]+(_[a-z]+)*$/),
    message: expect.stringMatching(/\S/),
    request_id: header(response, 'x-request-id'),
    documentation_url: expect.stringMatching(new RegExp(`^https?://[^/]+/docs/errors#${error.error}$`)),
  })
  expectErrorHeaders(response, String(error.error))
}

function record(response: ApiResponse): Record<string, unknown> {
  const value: unknown = JSON.parse(response.text)
  if (!isRecord(value)) throw new Error(`the body is no JSON object: ${response.text}`)
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
