import { describe, expect, test } from 'vitest'
import { languages } from '../../src/pages/language.ts'
import { STYLESHEET } from '../../src/pages/stylesheet.ts'
import { EVERY_PAGE, select } from './samples.ts'

describe.each(Object.entries(EVERY_PAGE))('%s', (_name, page) => {
  test.each(languages())('is a whole document in %s', async (language) => {
    const html = page(language)
    expect(html.startsWith(`<!DOCTYPE html><html lang="${language}" dir="ltr"><head><meta charset="UTF-8">`)).toBe(true)
    expect(html.endsWith('</main></body></html>')).toBe(true)
    expect(await select(html, 'h1')).toHaveLength(1)
    expect(await select(html, 'title')).toHaveLength(1)
    expect(html).not.toMatch(/undefined|\[object|NaN|\{count\}/)
  })

  test('closes every element in order', () => {
    expect(unbalanced(page('en'))).toEqual([])
  })

  test('lives under a strict content security policy: no script, no inline style, no handler', async () => {
    const html = page('en')
    expect(await select(html, 'script, style, iframe, base')).toEqual([])
    const names = (await select(html, '*')).flatMap(({ attributes }) => [...attributes.keys()])
    expect(names.filter((name) => name === 'style' || name.startsWith('on'))).toEqual([])
    const [sheet] = await select(html, 'link[rel=stylesheet]')
    expect(sheet?.attributes.get('href')).toBe('/style.css')
  })

  test('labels every field and names every id once', async () => {
    const html = page('en')
    expect(await select(html, 'label > input')).toHaveLength((await select(html, 'input')).length)
    const ids = (await select(html, '[id]')).map(({ attributes }) => attributes.get('id'))
    expect(new Set(ids).size).toBe(ids.length)
    for (const { attributes } of await select(html, '[aria-describedby]')) {
      expect(ids).toContain(attributes.get('aria-describedby'))
    }
    expect((await select(html, 'img')).filter(({ attributes }) => !attributes.get('alt'))).toEqual([])
  })

  test('writes void elements as programs look for them', () => {
    expect(page('en')).not.toContain('/>')
  })
})

test('the stylesheet loads nothing and could not close a style element', () => {
  expect(STYLESHEET).not.toMatch(/url\(|@import|</)
})

const VOID = new Set(['meta', 'link', 'img', 'input', 'br'])

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
