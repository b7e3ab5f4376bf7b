import { describe, expect, test } from 'vitest'
import { OPERATIONS } from '../../../src/api/operations.ts'
import { ERRORS, type ErrorCode } from '../../../src/errors.ts'
import { failureOf } from '../../../src/pages/upload/upload-failure.ts'

/** The failure that a page shows for each error of its requests. `server` are mistakes of the page or the service. */
const SHOWN = {
  unsupported_endpoint: 'server',
  malformed_request: 'server',
  missing_field: 'server',
  duplicate_field: 'server',
  invalid_idempotency_key: 'server',
  idempotency_key_reused: 'server',
  invalid_option: 'server',
  internal_error: 'server',
  request_in_progress: 'busy',
  overloaded: 'busy',
  storage_unavailable: 'busy',
  upload_check_unavailable: 'busy',
  storage_full: 'storageFull',
  upload_key_required: 'keyRequired',
  client_limit_reached: 'limited',
  body_too_slow: 'slow',
  body_too_large: 'tooLarge',
  file_too_large: 'tooLarge',
  unsupported_image_format: 'unsupportedFormat',
  unreadable_image: 'damaged',
  image_too_large: 'tooManyPixels',
  blocked_content: 'blocked',
  upload_denied: 'denied',
  human_check_required: 'human',
  gallery_not_found: 'galleryClosed',
  upload_token_incorrect: 'galleryClosed',
  gallery_already_finalized: 'galleryClosed',
  guest_link_not_found: 'galleryClosed',
  guest_link_closed: 'galleryClosed',
  guest_link_full: 'galleryClosed',
  gallery_full: 'galleryFull',
  gallery_not_finalizable: 'notFinalizable',
  invalid_gallery_name: 'galleryName',
} as const

describe('a failure', () => {
  test.each(Object.entries(SHOWN))('with the code %s is shown as %s', (code, failure) => {
    expect(failureOf({ status: statusOf(code), code })).toBe(failure)
  })

  test('is chosen for every code that the requests of the pages can meet', () => {
    const requests = ['uploadImage', 'createGallery', 'finalizeGallery', 'uploadGuestImage']
    const codes = OPERATIONS.filter(({ id }) => requests.includes(id)).flatMap(({ errors }) => errors.codes)
    expect([...new Set<ErrorCode>(codes)].toSorted()).toEqual(Object.keys(SHOWN).toSorted())
  })

  test.each([
    [0, 'network'],
    [408, 'slow'],
    [413, 'tooLarge'],
    [422, 'server'],
    [429, 'limited'],
    [502, 'server'],
    [503, 'busy'],
  ])('without a code is chosen by the status %i: %s', (status, failure) => {
    expect(failureOf({ status, code: null })).toBe(failure)
  })

  test('by a code of a later version, or in a success that cannot be read, is one of the service', () => {
    expect(failureOf({ status: 422, code: 'of_tomorrow' })).toBe('server')
    expect(failureOf({ status: 422, code: 'toString' })).toBe('server')
    expect(failureOf({ status: 200, code: null })).toBe('server')
  })
})

function statusOf(code: string): number {
  return Object.entries(ERRORS).find(([name]) => name === code)?.[1].status ?? 0
}
