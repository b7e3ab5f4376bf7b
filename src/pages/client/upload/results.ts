import { CODE_FORMATS, type CodeFormat, type CodeSize, codeOf, originalOf } from '../../codes.ts'
import { enableCopying } from '../copying.ts'
import type { CreatedGallery, Uploaded } from './answers.ts'
import { copyOfTemplate, find } from './elements.ts'
import { fill } from './fill.ts'
import { savings } from './formats.ts'
import { enableTabs } from './tabs.ts'
import { words } from './words.ts'

/** The results to show. */
export interface Results {
  pictures: readonly Uploaded[]
  gallery: CreatedGallery | undefined
}

let results: Results = { pictures: [], gallery: undefined }
/** The language of the codes, or only links. */
let wanted: CodeFormat | undefined

/** Sets up the tabs, choices and copy buttons of the results. */
export function prepareResults(): void {
  const panel = find('#codes-panel', HTMLElement)
  enableTabs(find('#code-tabs', HTMLElement), (tab) => {
    wanted = CODE_FORMATS.find((format) => format === tab.dataset.format)
    panel.setAttribute('aria-labelledby', tab.id)
    find('#codes-show', HTMLElement).hidden = wanted === undefined
    writeCodes()
  })
  find('#codes-show', HTMLElement).addEventListener('change', writeCodes)
  const section = find('#results', HTMLElement)
  // Browsers restore fields when a page is reloaded: private links must not be among them.
  for (const field of section.querySelectorAll('input, textarea')) field.setAttribute('autocomplete', 'off')
  enableCopying(section)
}

/** Shows the links and codes of the uploaded pictures, in place of earlier ones. */
export function showResults(shown: Results): void {
  results = shown
  const { pictures, gallery } = shown
  find('#result-list', HTMLElement).replaceChildren(...pictures.map(rowOf))
  find('#codes-of-all', HTMLElement).hidden = pictures.length < 2
  find('#gallery-result', HTMLElement).hidden = gallery === undefined
  find('#code-gallery', HTMLInputElement).value = gallery?.url ?? ''
  find('#gallery-page', HTMLAnchorElement).href = gallery?.url ?? ''
  showSavings(pictures)
  showPrivateLinks(shown)
  writeCodes()
  find('#results', HTMLElement).hidden = false
}

/** Clears the results, including the private links. */
export function clearResults(): void {
  showResults({ pictures: [], gallery: undefined })
  find('#results', HTMLElement).hidden = true
}

function rowOf(picture: Uploaded, index: number): HTMLElement {
  const { name, pageUrl, thumbnailUrl, thumbWidth, thumbHeight, optimization } = picture
  const row = copyOfTemplate('result-row')
  const image = find('img', HTMLImageElement, row)
  image.width = thumbWidth
  image.height = thumbHeight
  image.src = thumbnailUrl
  for (const link of row.querySelectorAll('a')) link.href = pageUrl
  find('.name a', HTMLAnchorElement, row).textContent = name
  find('.saving', HTMLElement, row).textContent = optimization ? savings(optimization) : ''

  const field = find('input', HTMLInputElement, row)
  const copy = find('button', HTMLButtonElement, row)
  field.id = `code-${index}`
  field.setAttribute('aria-label', name)
  copy.dataset.copy = field.id
  copy.title = fill(words.copyOf, { name })
  find('.visually-hidden', HTMLElement, copy).textContent = ` ${name}`
  enableCopying(row)
  return row
}

/** Writes the chosen codes into the fields. */
function writeCodes(): void {
  const size: CodeSize = find('#show-full', HTMLInputElement).checked ? 'full' : 'thumbnail'
  const codes = results.pictures.map((picture) => codeFor(picture, size))
  for (const [index, field] of document.querySelectorAll<HTMLInputElement>('#result-list input').entries())
    field.value = codes[index] ?? ''
  find('#code-all', HTMLTextAreaElement).value = codes.join('\n')
}

function codeFor({ name, pageUrl, thumbnailUrl }: Uploaded, size: CodeSize): string {
  if (!wanted) return pageUrl
  return codeOf({ name, pageUrl, thumbnailUrl, originalUrl: originalOf(thumbnailUrl) }, wanted, size)
}

/** What the optimization saved in total. For one picture, its card says it. */
function showSavings(pictures: readonly Uploaded[]): void {
  const reports = pictures.flatMap(({ optimization }) => optimization ?? [])
  const total = { applied: true, originalBytes: 0, storedBytes: 0, storedSize: undefined }
  for (const { originalBytes, storedBytes } of reports) {
    total.originalBytes += originalBytes
    total.storedBytes += storedBytes
  }
  find('#saved', HTMLElement).textContent = reports.length > 1 ? savings(total) : ''
}

/** Shows private links in these fields only: they are not in an address or in the browser's storage. */
function showPrivateLinks({ pictures, gallery }: Results): void {
  const links = [
    ...(gallery?.manageUrl === undefined ? [] : [{ name: words.gallery, url: gallery.manageUrl }]),
    ...pictures.flatMap(({ name, manageUrl }) => (manageUrl === undefined ? [] : [{ name, url: manageUrl }])),
  ]
  const single = links.length === 1
  find('#private', HTMLElement).hidden = links.length === 0
  find('#private-one', HTMLElement).hidden = !single
  find('#private-all', HTMLElement).hidden = single
  find('#code-private', HTMLInputElement).value = single ? (links[0]?.url ?? '') : ''
  find('#code-private-all', HTMLTextAreaElement).value = single
    ? ''
    : links.map(({ name, url }) => `${name}  ${url}`).join('\n')
}
