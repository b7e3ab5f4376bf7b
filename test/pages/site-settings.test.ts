import { expect, test } from 'vitest'
import type { PageContext } from '../../src/pages/shell/page-context.ts'
import { CONTEXT, EVERY_PAGE, select } from './samples.ts'

const LINKS = { terms: 'https://a.example/t', contact: 'mailto:me@a.example' }
const OPERATED: PageContext = {
  ...CONTEXT,
  site: {
    operatorName: 'A. <Person>',
    tagline: 'Our own.',
    uploadNotice: 'No <people>.',
    links: LINKS,
    showsFileLinks: false,
    hasPreviews: true,
  },
}

test.each(Object.entries(EVERY_PAGE))('%s: the operator and the links are at the foot', async (_, page) => {
  const links = await select(page(OPERATED), 'footer a')
  expect(links.slice(1).map(({ attributes }) => attributes.get('href'))).toEqual(Object.values(LINKS))
  expect(page(OPERATED)).toContain('Run by A. &lt;Person&gt;')
})

test('the tagline is on the front page', async () => {
  const html = EVERY_PAGE.upload?.(OPERATED) ?? ''
  expect((await select(html, '.welcome p')).map(({ text }) => text)).toEqual(['Our own.'])
  expect((await select(html, 'meta[name=description]'))[0]?.attributes.get('content')).toBe('Our own.')
})

test('the notice is on the upload page, where there is one', async () => {
  const noticeOf = (context: PageContext) => select(EVERY_PAGE.upload?.(context) ?? '', '#operator-notice')
  expect((await noticeOf(OPERATED)).map(({ text }) => text)).toEqual(['No &lt;people&gt;.'])
  expect(await noticeOf(CONTEXT)).toEqual([])
})

test.each(['show', 'codes of a gallery', 'uploaded', 'upload'])(
  '%s offers the file last, unless it is switched off',
  async (name) => {
    const offered = async (context: PageContext) =>
      (await select(EVERY_PAGE[name]?.(context) ?? '', '[role=tab], .code input, .code textarea'))
        .map(({ attributes }) => attributes.get('id') ?? '')
        .filter((id) => /^(?:tab|code)-(?:file|bbcode-full|bbcode)$/.test(id))
    expect((await offered(CONTEXT)).at(-1)).toMatch(/-file$/)
    expect((await offered(OPERATED)).join()).toMatch(/bbcode(?:-full)?$/)
  },
)
