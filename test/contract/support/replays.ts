import { expect } from 'vitest'
import type { Api } from './api.ts'
import { type ApiResponse, header } from './client.ts'

/** Returns request options with an Idempotency-Key. */
export const withKey = (key: string) => ({ headers: { 'idempotency-key': key } })

/** Returns the header that marks a replay, if there is one. */
export const isReplayed = (response: ApiResponse) => header(response, 'idempotent-replayed')

/** Expects equal responses: status, media type and every byte. The second one is marked as a replay. */
export function expectReplay(first: ApiResponse, second: ApiResponse): void {
  expect({ status: second.status, text: second.text }).toEqual({ status: 200, text: first.text })
  expect(header(second, 'content-type')).toBe(header(first, 'content-type'))
  expect(isReplayed(second)).toBe('true')
}

/** Returns the number of images that a finalized gallery shows. */
export async function countImages(
  where: Api,
  gallery: { hash: string; uploadToken: string; url: string },
): Promise<number> {
  await where.finalize(gallery.hash, gallery.uploadToken)
  const page = (await where.follow(gallery.url)).text
  return new Set(page.match(/\/show\/\d+\/\d+_[\w-]+\.\w+/g)).size
}
