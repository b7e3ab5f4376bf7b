import { expect, test } from 'vitest'
import { languages } from '../../../src/pages/shell/language.ts'
import { messagesIn } from '../../../src/pages/shell/messages.ts'
import {
  deletedPage,
  errorPage,
  limitReachedPage,
  missingGalleryPage,
  missingImagePage,
  notFoundPage,
} from '../../../src/pages/shell/notice-pages.tsx'
import type { PageContext } from '../../../src/pages/shell/page-context.ts'
import { CONTEXT, contextIn } from '../samples.ts'

const MISSING = [
  ["Picture doesn't exist", missingImagePage, 'missingImage'],
  ["Gallery doesn't exist", missingGalleryPage, 'missingGallery'],
] as const

test.each(MISSING)('%s: with these words, and in the language of the reader', (words, page, message) => {
  for (const language of languages()) {
    const html = page({ context: contextIn(language) })
    expect(html).toMatch(new RegExp(`<p [^>]*lang="en"[^>]*>${words}</p>`))
    expect(html).toContain(`<h1>${escapeApostrophes(messagesIn(language)[message].heading)}</h1>`)
  }
})

test.each([
  ['not found', notFoundPage],
  ['gone', deletedPage],
  ['limit reached', limitReachedPage],
  ['error', (props: { context: PageContext }) => errorPage({ ...props, requestId: 'r' })],
])('%s is not mistaken for a missing image or gallery', (_name, page) => {
  for (const [words] of MISSING) {
    for (const language of languages()) expect(page({ context: contextIn(language) })).not.toContain(words)
  }
})

test('an error shows the id of the request to report, as text', () => {
  expect(errorPage({ context: CONTEXT, requestId: '<b>' })).toContain('<code>&lt;b&gt;</code>')
})

test.each([
  ['missing image', missingImagePage],
  ['missing gallery', missingGalleryPage],
  ['not found', notFoundPage],
  ['gone', deletedPage],
  ['limit reached', limitReachedPage],
])('%s shows no image and is not to be indexed', (_name, page) => {
  const html = page({ context: CONTEXT })
  expect(html).not.toContain('<img')
  expect(html).toContain('<meta name="robots" content="noindex">')
})

function escapeApostrophes(text: string): string {
  return text.replaceAll("'", '&#39;')
}
