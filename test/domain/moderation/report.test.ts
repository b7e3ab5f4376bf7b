import { beforeEach, describe, expect, test } from 'vitest'
import { deleteManaged } from '../../../src/domain/content/management.ts'
import {
  parseReport,
  REPORT_REASONS,
  receiveReport,
  type SubmittedReport,
} from '../../../src/domain/moderation/report.ts'
import { REPORT_CONTACT_MAX_CHARACTERS, REPORT_DETAILS_MAX_CHARACTERS } from '../../../src/limits.ts'
import { madeGallery, madeImage, NOW_MS } from '../made-content.ts'
import { emptyStore, rows, store } from '../store.ts'

const REPORT: SubmittedReport = { reason: 'copyright', details: 'mine', contact: 'me@one.example' }

beforeEach(emptyStore)

describe('a report is read from its form', () => {
  test.each(REPORT_REASONS)('reason %s', (reason) => {
    expect(parseReport({ reason, details: 'why', contact: '' })).toEqual({
      report: { reason, details: 'why', contact: '' },
    })
  })

  test.each([
    ['an unknown reason', { reason: 'dislike' }, ['reason']],
    ['no reason', { reason: '' }, ['reason']],
    ['a property of every object for a reason', { reason: 'constructor' }, ['reason']],
    ['another reason without a word', { reason: 'other', details: ' \r\n ' }, ['details']],
    ['details too long', { details: 'x'.repeat(REPORT_DETAILS_MAX_CHARACTERS + 1) }, ['details']],
    ['details that are no Unicode', { details: '\ud800' }, ['details']],
    ['a contact too long', { contact: 'x'.repeat(REPORT_CONTACT_MAX_CHARACTERS + 1) }, ['contact']],
    ['everything', { reason: '', details: '\ud800', contact: '\ud800' }, ['reason', 'details', 'contact']],
  ])('%s must be changed', (_what, change, wrong) => {
    expect(parseReport({ ...REPORT, ...change })).toEqual({ wrong })
  })

  test('the longest texts pass, their line breaks counted as browsers count them', () => {
    const details = `a\n${'x'.repeat(REPORT_DETAILS_MAX_CHARACTERS - 2)}`
    const contact = 'x'.repeat(REPORT_CONTACT_MAX_CHARACTERS)
    expect(parseReport({ reason: 'illegal', details: details.replace('\n', '\r\n'), contact })).toEqual({
      report: { reason: 'illegal', details, contact },
    })
  })

  test('control characters become spaces, line breaks and tabs stay', () => {
    const parsed = parseReport({ ...REPORT, details: 'a\u001b[2Jb\u0000\u0085c\r\n\td\r' })
    expect(parsed).toEqual({ report: { ...REPORT, details: 'a [2Jb  c\n\td' } })
  })
})

describe('a report is stored', () => {
  test('of an image, of an image in a gallery and of a gallery, each with its record', async () => {
    const [image, gallery] = [await madeImage(), await madeGallery()]
    for (const { address } of [image, gallery.image, gallery]) {
      await receiveReport(store, address, REPORT, NOW_MS)
    }
    const [{ id } = {}] = await rows('SELECT id FROM galleries')
    const stored = { ...REPORT, created_at: NOW_MS, handled_at: null }
    expect(await rows('SELECT * FROM reports ORDER BY id')).toEqual([
      { id: expect.any(Number), image_id: image.image.id, gallery_id: null, ...stored },
      { id: expect.any(Number), image_id: gallery.image.image.id, gallery_id: null, ...stored },
      { id: expect.any(Number), image_id: null, gallery_id: id, ...stored },
    ])
  })

  test.each([
    ['a deleted image', async () => deleted(await madeImage())],
    ['a deleted gallery', async () => deleted(await madeGallery())],
    ['an image of a deleted gallery', async () => deleted(await madeGallery()).then(({ image }) => image)],
    ['an unfinished gallery', () => madeGallery({ finalized: false })],
    ['an image of an unfinished gallery', () => madeGallery({ finalized: false }).then(({ image }) => image)],
    ['what never was', async () => ({ address: { kind: 'gallery' as const, hash: 'unknown' } })],
  ])('but not of %s', async (_what, made) => {
    const { address } = await made()
    await expect(receiveReport(store, address, REPORT, NOW_MS)).rejects.toMatchObject({ code: 'content_not_found' })
    expect(await rows('SELECT * FROM reports')).toEqual([])
  })
})

async function deleted<T extends { token: string }>(made: T): Promise<T> {
  await deleteManaged(store, made.token, NOW_MS)
  return made
}
