import { describe, expect, test } from 'vitest'
import { type ReportPageProps, reportDonePage, reportPage } from '../../../src/pages/manage/report-page.tsx'
import { languages } from '../../../src/pages/shell/language.ts'
import type { PageContext } from '../../../src/pages/shell/page-context.ts'
import { CONTEXT as SAMPLE, select } from '../samples.ts'

const CONTEXT: PageContext = { ...SAMPLE, address: undefined, allowStyle() {} }

const EMPTY: ReportPageProps = {
  context: CONTEXT,
  reasons: ['illegal', 'child', 'copyright', 'personal', 'violence', 'other'],
  entered: { url: '', reason: '', details: '', contact: '' },
}

test.each(languages())('it has every reason in words in %s', async (language) => {
  const html = reportPage({ ...EMPTY, context: { ...CONTEXT, language } })
  const words = (await select(html, 'label.choice')).map(({ text }) => text.trim())
  expect(words).toHaveLength(6)
  expect(new Set(words).size).toBe(6)
  expect(words).not.toContain('')
})

test('each field has a label, and a hint that is read with it', async () => {
  const html = reportPage(EMPTY)
  const labelled = (await select(html, '.field > label')).map(({ attributes }) => attributes.get('for'))
  expect(labelled).toEqual(['report-url', 'report-details', 'report-contact'])
  for (const id of labelled) {
    const [field] = await select(html, `#${id}`)
    expect(field?.attributes.get('aria-describedby')).toBe(`${id}-hint`)
    expect(field?.attributes.has('aria-invalid')).toBe(false)
    expect(await select(html, `#${id}-hint`)).toHaveLength(1)
  }
  expect(await select(html, '[role=alert]')).toEqual([])
})

test.each(['url', 'details', 'contact'] as const)(
  'a wrong %s is marked with a message, the others are not',
  async (name) => {
    const html = reportPage({ ...EMPTY, wrong: [name] })
    const marked = await select(html, '[aria-invalid=true]')
    expect(marked.map(({ attributes }) => attributes.get('name'))).toEqual([name])
    expect(marked[0]?.attributes.get('aria-describedby')).toBe(`report-${name}-error`)
    const [error, ...others] = await select(html, '[role=alert]')
    expect([error?.attributes.get('id'), others]).toEqual([`report-${name}-error`, []])
  },
)

test('a missing reason is reported at the group', async () => {
  const html = reportPage({ ...EMPTY, wrong: ['reason'] })
  const [group] = await select(html, 'fieldset')
  expect(group?.attributes.get('aria-describedby')).toBe('report-reason-error')
  expect(await select(html, 'fieldset #report-reason-error')).toHaveLength(1)
})

describe('entered values are returned', () => {
  const entered = { url: '"><script>', reason: 'personal', details: '\n</textarea><b>', contact: `'"&` }

  test('as text, never as markup', async () => {
    const html = reportPage({ ...EMPTY, entered })
    expect(await select(html, 'b')).toEqual([])
    expect(html).toContain('value="&quot;&gt;&lt;script&gt;"')
    // The first line break is the parser's, the second is part of the text.
    expect(html).toContain('>\n\n&lt;/textarea&gt;&lt;b&gt;</textarea>')
    expect(html).toContain('value="&#39;&quot;&amp;"')
  })

  test('with the reason chosen, and no other', async () => {
    const chosen = await select(reportPage({ ...EMPTY, entered }), 'input[checked]')
    expect(chosen.map(({ attributes }) => attributes.get('value'))).toEqual(['personal'])
    expect(await select(reportPage(EMPTY), 'input[checked]')).toEqual([])
  })

  test('without text that is not Unicode', () => {
    const broken = { url: '\ud800', reason: '', details: '\ud800', contact: '\ud800' }
    expect(reportPage({ ...EMPTY, entered: broken }).isWellFormed()).toBe(true)
  })
})

test('a chosen language stays', async () => {
  const context: PageContext = { ...CONTEXT, language: 'de', languageChosen: true }
  const [form] = await select(reportPage({ ...EMPTY, context }), 'form')
  expect(form?.attributes.get('action')).toBe('/report?lang=de')
})

test('neither the form nor the thanks are for search engines', async () => {
  for (const html of [reportPage(EMPTY), reportDonePage({ context: CONTEXT })]) {
    expect((await select(html, 'meta[name=robots]')).map(({ attributes }) => attributes.get('content'))).toEqual([
      'noindex',
    ])
  }
})
