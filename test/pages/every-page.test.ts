import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { ASSETS } from '#generated/assets.ts'
import { LANGUAGES, languages } from '../../src/pages/shell/language.ts'
import { messagesIn } from '../../src/pages/shell/messages.ts'
import { CONTEXT, contextIn, EVERY_PAGE, select } from './samples.ts'

describe.each(Object.entries(EVERY_PAGE))('%s', (_name, page) => {
  test.each(languages())('is a whole document in %s', async (language) => {
    const html = page(contextIn(language))
    const { direction } = LANGUAGES[language]
    expect(html).toMatch(
      new RegExp(`^<!DOCTYPE html><html lang="${language}" dir="${direction}"><head><meta charset="UTF-8">`),
    )
    expect(html.endsWith('</footer></body></html>')).toBe(true)
    expect(await select(html, 'h1')).toHaveLength(1)
    expect(await select(html, 'title')).toHaveLength(1)
    // The words that the script fills in are apart, and so is what programs read.
    const shown = html.replace(/<script type="application\/json".*?<\/script>|<code.*?<\/code>/gs, '')
    expect(shown).not.toMatch(/undefined|\[object|NaN|\{[a-z]+\}/)
  })

  test('offers every language by its own name, and keeps one that was chosen', async () => {
    const links = await select(page(CONTEXT), '.languages a')
    expect(links.map(({ attributes, text }) => [attributes.get('lang'), text, attributes.get('href')])).toEqual(
      languages().map((code) => [code, LANGUAGES[code].name, `https://one.example/here?lang=${code}`]),
    )
    const chosen = page({ ...contextIn('de'), languageChosen: true })
    const [home] = await select(chosen, '.brand')
    expect(home?.attributes.get('href')).toBe('/?lang=de')
    expect(page({ ...CONTEXT, address: undefined })).not.toContain(messagesIn('en').languages)
  })

  test('has an icon for home screens of iOS, which take no SVG', async () => {
    const [link] = await select(page(CONTEXT), 'link[rel=apple-touch-icon]')
    expect(link?.attributes.get('href')).toBe(ASSETS.iconMaskable.path)
  })

  test('is first painted with its whole content, unless it is a gallery, which may be long', async () => {
    const html = page(CONTEXT)
    const [link] = await select(html, 'head link[rel=expect][blocking=render]')
    const [next] = await select(html, 'footer')
    const [isGallery] = await select(html, '.images')
    expect(link?.attributes.get('href')).toBe(isGallery ? undefined : `#${next?.attributes.get('id')}`)
  })

  test('has a way to report what is unlawful', async () => {
    const [link] = await select(page(CONTEXT), 'footer p a')
    expect(link?.attributes.get('href')).toMatch(
      /^\/report(?:\?url=https%3A%2F%2Fone\.example%2F(?:show|gallery)%2F\S+)?$/,
    )
  })

  test('closes every element in order', () => {
    expect(unbalanced(page(CONTEXT))).toEqual([])
  })

  test('lives under a strict content security policy', async () => {
    const html = page(CONTEXT)
    expect(await select(html, 'iframe, base')).toEqual([])
    const names = (await select(html, '*')).flatMap(({ attributes }) => [...attributes.keys()])
    expect(names.filter((name) => name === 'style' || name.startsWith('on'))).toEqual([])
    const allowed: string[] = []
    page({ ...CONTEXT, allowStyle: (style) => allowed.push(style) })
    // The policy has the hashes of exactly these.
    expect((await select(html, 'style')).map(({ text }) => text)).toEqual(allowed)
    // One is there before the page is shown, so that it is shown in the theme that was chosen.
    const [frame, ...scripts] = await select(html, 'script:not([type="application/json"])')
    expect([frame?.attributes.get('src'), frame?.text]).toEqual([ASSETS.layout.path, ''])
    for (const { attributes, text } of scripts) {
      expect([ASSETS.page.path, ASSETS.manage.path, ASSETS.guest.path, ASSETS.upload.path]).toContain(
        attributes.get('src'),
      )
      expect([attributes.get('type'), text]).toEqual(['module', ''])
    }
    const [sheet] = await select(html, 'link[rel=stylesheet]')
    expect([ASSETS.style.path, ASSETS.uploadStyle.path]).toContain(sheet?.attributes.get('href'))
  })

  test('labels every field and names every id once', async () => {
    const html = page(CONTEXT)
    const ids = (await select(html, '[id]')).map(({ attributes }) => attributes.get('id'))
    expect(new Set(ids).size).toBe(ids.length)
    const labelled = new Set((await select(html, 'label[for]')).map(({ attributes }) => attributes.get('for')))
    const inLabels = new Set((await select(html, 'label input')).map(({ attributes }) => attributes.get('name') ?? ''))
    for (const { attributes } of await select(html, 'input:not([type=hidden]), select, textarea')) {
      const named = labelled.has(attributes.get('id')) || inLabels.has(attributes.get('name') ?? '')
      expect(named || attributes.has('aria-label'), JSON.stringify([...attributes])).toBe(true)
    }
    for (const { attributes } of await select(html, '[aria-describedby]')) {
      expect(ids).toEqual(expect.arrayContaining((attributes.get('aria-describedby') ?? '').split(' ')))
    }
    // A preview that its own words describe may be empty.
    expect((await select(html, 'img')).filter(({ attributes }) => !attributes.has('alt'))).toEqual([])
  })

  test('writes void elements as programs look for them', () => {
    expect(page(CONTEXT)).not.toContain('/>')
  })
})

test('the stylesheet loads nothing and could not close a style element', async () => {
  const response = await env.ASSETS.fetch(`https://static.invalid${ASSETS.style.path}`)
  expect(await response.text()).not.toMatch(/url\(|@import|</)
})

const VOID = new Set(['meta', 'link', 'img', 'input', 'br', 'path', 'rect', 'circle'])

/** End tags that end nothing, and elements left open. All attributes are quoted and hold no `>`. */
function unbalanced(html: string): string[] {
  const open: string[] = []
  const wrong: string[] = []
  for (const [, slash, name = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)[^>]*>/g)) {
    if (VOID.has(name)) continue
    if (slash === '') open.push(name)
    else if (open.at(-1) === name) open.pop()
    else wrong.push(name)
  }
  return [...wrong, ...open]
}
