import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { ASSETS } from '#generated/assets.ts'
import { BROWSER_TARGET } from '../../../tools/build/browser-target.ts'
import { readStaticText } from '../../support/static-assets.ts'
import { CONTEXT, EVERY_PAGE } from '../samples.ts'
import { readTables } from './compatibility.ts'
import { type Missing, missingInScript, missingInStyle } from './used-features.ts'

/** Features that the pages use although a browser of the target lacks them, and what such a browser does instead. */
const SCRIPT_FALLBACKS: Readonly<Record<string, string>> = {
  navigation: 'The image fades in. Its thumbnail does not grow.',
  '.canShare': 'There is no button to share.',
  '.share': 'There is no button to share.',
  '.webkitGetAsEntry': 'Android cannot drop folders.',
  '.webkitRelativePath': 'Android cannot choose folders.',
  '.imageSmoothingQuality': 'Images that are made smaller are scaled with the default quality.',
  devicePixelRatio: 'Safari has it: the table only says that zooming does not change it.',
  open: 'Safari on iOS opens a tab instead of a window.',
}
const STYLE_FALLBACKS: Readonly<Record<string, string>> = {
  ':has': 'Details of layout only. Consent and the stages of an upload have classes and siblings.',
  '@view-transition': 'Pages change without a transition.',
  ':view-transition-group': 'Pages change without a transition.',
  ':view-transition-old': 'Pages change without a transition.',
  ':view-transition-new': 'Pages change without a transition.',
  'view-transition-name': 'Pages change without a transition.',
  '@starting-style': 'Appears without a transition.',
  ':-webkit-progress-bar': 'One of two ways to style progress bars.',
  ':-webkit-progress-value': 'One of two ways to style progress bars.',
  ':-moz-progress-bar': 'One of two ways to style progress bars.',
  'accent-color': 'Safari has it, with colours of less contrast.',
  'text-size-adjust': 'Safari has it with a prefix, which is beside it. Others need none.',
  'text-wrap': 'Headings break where the line is full.',
  'font-family: ui-serif': 'The next family of the list.',
  'font-family: ui-monospace': 'The next family of the list.',
  'cursor: pointer': 'iOS shows no cursors.',
  'cursor: default': 'iOS shows no cursors.',
  'cursor: zoom-in': 'iOS shows no cursors.',
  'cursor: grab': 'iOS shows no cursors.',
  'cursor: grabbing': 'iOS shows no cursors.',
  'user-select': 'The build adds the prefix that Safari needs.',
  '-webkit-touch-callout': 'Only iOS has the menu that it removes.',
  'forced-color-adjust': 'Safari has no forced colours.',
  'text-align: match-parent': 'A name from the other direction is aligned to its own side.',
  'content-visibility': 'Cards outside of the window are drawn, too.',
}
/** Properties of the scripts' own objects that have the name of a younger one. */
const OWN_PROPERTIES = ['.address', '.external', '.bytes']

const tables = readTables()

describe(`in ${Object.entries(BROWSER_TARGET).flat().join(' ')}`, () => {
  test('each function of the scripts exists, or has a fallback', () => {
    const missing = union(contents('text/javascript').map((script) => missingInScript(script, tables)))
    for (const name of OWN_PROPERTIES) missing.delete(name)
    expect(withoutFallback(missing, SCRIPT_FALLBACKS)).toEqual([])
  })

  test('each feature of the style sheets exists, or has a fallback', () => {
    const pages = Object.values(EVERY_PAGE).map((page) => page(CONTEXT))
    const inline = pages.flatMap((html) => [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, style = '']) => style))
    const missing = union([...contents('text/css'), ...inline].map((style) => missingInStyle(style, tables)))
    expect(withoutFallback(missing, STYLE_FALLBACKS)).toEqual([])
  })
})

test('the README states the oldest browsers', () => {
  const { chrome, firefox, safari } = BROWSER_TARGET
  const readme = readFileSync(path.resolve(import.meta.dirname, '../../../README.md'), 'utf8')
  expect(readme).toContain(`Chrome ${chrome}, Firefox ${firefox} ESR, Safari ${safari}, or newer`)
})

test.each([
  ['URL.parse(a)', 'URL.parse'],
  ['const {parse} = URL, b = Map.groupBy(a, c)', 'Map.groupBy'],
  ['window.navigation.back()', 'navigation'],
  ['form.ariaBusy = "true"', '.ariaBusy'],
  ['const {checkVisibility} = element', '.checkVisibility'],
  ['async()=>{for await(const a of b);}', 'for await'],
  ['Promise.try(a)', 'Promise.try'],
])('the script %j is found to use %s', (script, feature) => {
  expect([...missingInScript(script, tables).keys()]).toContain(feature)
})

test.each([
  ['a{color:light-dark(red,blue)}', 'light-dark()'],
  ['@media (scripting:enabled){a{color:red}}', '@media (scripting)'],
  ['main:has(a:checked) b{color:red}', ':has'],
  ['@scope (a){b{color:red}}', '@scope'],
  ['a{field-sizing:content}', 'field-sizing'],
])('the style %j is found to use %s', (style, feature) => {
  expect([...missingInStyle(style, tables).keys()]).toContain(feature)
})

function contents(type: string): string[] {
  return Object.values(ASSETS)
    .filter((asset) => asset.type.startsWith(type))
    .map(({ path }) => readStaticText(path))
}

function union(all: readonly Missing[]): Missing {
  return new Map(all.flatMap((missing) => [...missing]))
}

/** Returns the features without a fallback, each with the browsers that lack it, and the fallbacks of unused features. */
function withoutFallback(missing: Missing, fallbacks: Readonly<Record<string, string>>): string[] {
  const lacking = [...missing].filter(([name]) => !Object.hasOwn(fallbacks, name))
  const unused = Object.keys(fallbacks).filter((name) => !missing.has(name))
  return [
    ...lacking.map(([name, browsers]) => `${name} is missing in ${browsers.join(', ')}`),
    ...unused.map((name) => `${name} has a fallback, but is not used`),
  ]
}
