import {
  CODE_FORMATS,
  CODE_SIZES,
  type CodeFormat,
  type CodeSize,
  codeOf,
  originalOf,
  previewOf,
} from '../../shell/codes.ts'
import { format, formatSavings, formatUntil } from '../../shell/formatting.ts'
import { enableCopying } from '../../shell/script/copying.ts'
import { copyOfTemplate, find, flagSmall } from '../../shell/script/elements.ts'
import { enableSharingBy } from '../../shell/script/sharing.ts'
import { noteResults, showEarlierResults } from './earlier-results.ts'
import { enableInserting, isEmbedded, wantedFormat } from './embedding.ts'
import { plural, savings } from './formats.ts'
import { later } from './later.ts'
import {
  canRemember,
  forget,
  isRemembered,
  isRemembering,
  type Remembered,
  remember,
  setRemembering,
} from './remembering.ts'
import type { Uploaded } from './service/responses.ts'
import type { Results } from './state.ts'
import { keepChoices, readChoices } from './stored-choices.ts'
import { enableTabs } from './tabs.ts'
import { words } from './words.ts'

/** The content of an image's field: the URL of its page, a code, or the URL of its file. */
type Wanted = 'page' | CodeFormat | 'file'

/** The choice that another site asks for does not apply to other visits. */
const CHOICES_KEY = isEmbedded() ? 'codes-embedded' : 'codes'
const WANTED: readonly Wanted[] = ['page', ...CODE_FORMATS, 'file']
/** The modules of a QR code's quiet zone (ISO/IEC 18004, 6.3.8), and the pixels of a module. */
const QUIET_MODULES = 4
const MODULE_PX = 8

const qrCodes = later(() => import('../../shell/qr-code.ts'))
const section = find('#results', HTMLElement)
const privateLinks = find('#private', HTMLDetailsElement)
let shown: readonly Results[] = []
let wanted: Wanted = 'page'
/** Whether the private links were copied: then they are not lost with the page. */
let isCopied = false

/** Sets up the tabs, choices and copy buttons of the results. */
export function prepareResults(): void {
  const stored = readChoices(CHOICES_KEY)
  const panel = find('#codes-panel', HTMLElement)
  const select = enableTabs(find('#code-tabs', HTMLElement), (tab) => {
    wanted = WANTED.find((format) => format === tab.dataset.format) ?? 'page'
    panel.setAttribute('aria-labelledby', tab.id)
    find('#codes-show', HTMLElement).hidden = wanted === 'page' || wanted === 'file'
    writeChosen()
  })
  const choice = document.getElementById(`show-${stored.size}`)
  if (choice instanceof HTMLInputElement) choice.checked = true
  // An operator may have taken the choice away since.
  select(document.getElementById(`tab-${wantedFormat() ?? stored.format}`) ?? find('#tab-page', HTMLElement))
  find('#codes-show', HTMLElement).addEventListener('change', writeChosen)
  // Browsers restore fields when a page is reloaded: private links must not be among them.
  for (const field of section.querySelectorAll('input, textarea')) field.setAttribute('autocomplete', 'off')
  enableCopying(section)
  enableInserting(() => ({
    codes: find('#code-all', HTMLTextAreaElement).value,
    html: allImages().map(htmlFor).join(''),
  }))
  privateLinks.addEventListener('copy', noteCopy)
  privateLinks.addEventListener('click', (event) => {
    if (event.target instanceof Element && event.target.closest('[data-copy]')) noteCopy()
  })
  showEarlierResults()
  find('#qr-close', HTMLButtonElement).addEventListener('click', () => find('#qr-code', HTMLDialogElement).close())
  find('#remember', HTMLButtonElement).addEventListener('click', () => {
    const isOn = !areRemembered()
    setRemembering(isOn)
    for (const upload of uploads()) isOn ? remember(upload) : forget(upload.pageUrl)
    showRemembering()
  })
  // Another window has forgotten something, or all.
  window.addEventListener('storage', showRemembering)
}

function hasResults(): boolean {
  return shown.length > 0
}

/** Whether nothing is lost if the page is left: all is remembered, or the private links were copied. */
export function areResultsSafe(): boolean {
  return isCopied || areRemembered()
}

/** Shows the links and codes of more uploaded images, below those of earlier ones. */
export function addResults(results: Results): void {
  shown = [...shown, results]
  isCopied = false
  const images = allImages()
  const galleries = shown.filter(({ gallery }) => gallery)
  const leads = galleries.length === 0 && images.length === 1 ? shown : galleries
  const isMany = leads.length === 0 && images.length > 1
  section.dataset.single = String(galleries.length === 0 && images.length === 1)
  find('#leads', HTMLElement).replaceChildren(...(isMany ? [leadOfMany(images)] : leads.map(leadOf)))
  find('#result-list', HTMLElement).replaceChildren(...images.map(rowOf))
  find('#codes-of-all', HTMLElement).hidden = images.length < 2
  showSavings(images)
  showExpiry()
  showPrivateLinks()
  writeCodes()
  section.hidden = false
  noteResults(areRemembered() ? images.length : 0)
}

function allImages(): Uploaded[] {
  return shown.flatMap(({ images }) => images)
}

/** Returns the first element of the results: a gallery, or the only image. */
function leadOf({ images: [first], gallery, name }: Results): HTMLElement {
  const lead = copyOfTemplate('lead')
  if (!first) return lead
  // A QR code may be needed when there is no connection.
  qrCodes.loadEarly()
  const address = gallery?.url ?? first.pageUrl
  const image = find('img', HTMLImageElement, lead)
  image.width = first.thumbWidth
  image.height = first.thumbHeight
  image.src = first.thumbnailUrl
  for (const link of lead.querySelectorAll('a')) link.href = address
  const title = gallery ? name || words.gallery : first.title
  find('.name', HTMLElement, lead).textContent = title
  find('.saving', HTMLElement, lead).textContent = !gallery && first.optimization ? savings(first.optimization) : ''
  find('.copy', HTMLButtonElement, lead).dataset.copyText = address
  enableSharingBy(find('.share', HTMLButtonElement, lead), { title, url: address })
  find('.qr-code', HTMLButtonElement, lead).addEventListener('click', () => void showQrCode(address))
  enableCopying(lead)
  return lead
}

/** Returns the first element of the results of many images without a gallery: it copies all their links. */
function leadOfMany(images: readonly Uploaded[]): HTMLElement {
  const lead = copyOfTemplate('lead')
  const [first] = images
  const image = find('img', HTMLImageElement, lead)
  image.width = first?.thumbWidth ?? 0
  image.height = first?.thumbHeight ?? 0
  image.src = first?.thumbnailUrl ?? ''
  find('.name', HTMLElement, lead).textContent = plural(words.imageCount, images.length)
  for (const selector of ['.open', '.share', '.qr-code']) find(selector, HTMLElement, lead).remove()
  const copy = find('.copy', HTMLButtonElement, lead)
  copy.dataset.copyText = images.map(({ pageUrl }) => pageUrl).join('\n')
  find('[aria-live]', HTMLElement, copy).textContent = words.copyLinks
  enableCopying(lead)
  return lead
}

/** Shows an address as a QR code: dark on white in both themes, for not every phone reads the reverse. */
async function showQrCode(address: string): Promise<void> {
  const { qrCodeOf } = await qrCodes.load()
  const code = qrCodeOf(address)
  const canvas = find('#qr-code canvas', HTMLCanvasElement)
  const context = canvas.getContext('2d')
  if (!code || !context) return
  canvas.width = canvas.height = (code.length + 2 * QUIET_MODULES) * MODULE_PX
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.fillStyle = '#000'
  for (const [row, line] of code.entries()) {
    for (const [column, dark] of line.entries()) {
      const [x, y] = [(column + QUIET_MODULES) * MODULE_PX, (row + QUIET_MODULES) * MODULE_PX]
      if (dark) context.fillRect(x, y, MODULE_PX, MODULE_PX)
    }
  }
  find('#qr-address', HTMLElement).textContent = address
  find('#qr-code', HTMLDialogElement).showModal()
}

function rowOf(uploaded: Uploaded, index: number): HTMLElement {
  const { title, pageUrl, thumbnailUrl, thumbWidth, thumbHeight, optimization } = uploaded
  const row = copyOfTemplate('result-row')
  const image = find('img', HTMLImageElement, row)
  flagSmall(image)
  image.width = thumbWidth
  image.height = thumbHeight
  image.src = thumbnailUrl
  for (const link of row.querySelectorAll('a')) link.href = pageUrl
  find('.name a', HTMLAnchorElement, row).textContent = title
  find('.saving', HTMLElement, row).textContent = optimization ? savings(optimization) : ''

  const field = find('input', HTMLInputElement, row)
  const copy = find('button', HTMLButtonElement, row)
  field.id = `code-${index}`
  field.setAttribute('aria-label', title)
  copy.dataset.copy = field.id
  copy.title = format(words.copyOf, { what: title })
  find('.visually-hidden', HTMLElement, copy).textContent = ` ${title}`
  enableCopying(row)
  return row
}

/** Writes what was chosen just now, and keeps the choice. */
function writeChosen(): void {
  writeCodes()
  keepChoices(CHOICES_KEY, { format: wanted, size: codeSize() })
}

/** Writes the chosen codes into the fields. */
function writeCodes(): void {
  const codes = allImages().map((image) => codeFor(image, codeSize()))
  for (const [index, field] of document.querySelectorAll<HTMLInputElement>('#result-list input').entries())
    field.value = codes[index] ?? ''
  find('#code-all', HTMLTextAreaElement).value = codes.join('\n')
}

function codeSize(): CodeSize {
  return CODE_SIZES.find((size) => document.querySelector(`#show-${size}:checked`)) ?? 'thumbnail'
}

function codeFor(image: Uploaded, size: CodeSize): string {
  const { pageUrl, thumbnailUrl } = image
  if (wanted === 'page') return pageUrl
  return wanted === 'file' ? originalOf(thumbnailUrl) : embedCodeOf(image, wanted, size)
}

/** Returns what an editor that shows images inserts for the chosen code. */
function htmlFor(image: Uploaded): string {
  const size = codeSize()
  const code = codeFor(image, size)
  const isLink = wanted === 'page' || wanted === 'file'
  return `<p>${isLink ? `<a href="${code}">${code}</a>` : embedCodeOf(image, 'html', size)}</p>`
}

function embedCodeOf({ name, pageUrl, thumbnailUrl }: Uploaded, format: CodeFormat, size: CodeSize): string {
  const originalUrl = originalOf(thumbnailUrl)
  const preview = { url: previewOf(thumbnailUrl) }
  return codeOf({ name, pageUrl, thumbnailUrl, preview, originalUrl }, format, size)
}

/** Shows the total savings of the optimization. The card of a single image shows its own. */
function showSavings(images: readonly Uploaded[]): void {
  const reports = images.flatMap(({ optimization }) => optimization ?? [])
  let [before, after] = [0, 0]
  for (const { originalBytes, storedBytes } of reports) {
    before += originalBytes
    after += storedBytes
  }
  const total = reports.length > 1 ? formatSavings(words.language, before, after) : undefined
  find('#saved', HTMLElement).textContent = total ? format(words.saved, total) : ''
}

/** Says when the first of the results is gone. */
function showExpiry(): void {
  const times = shown.flatMap(({ images, gallery }) => [gallery, ...images].flatMap((one) => one?.expiresAtMs ?? []))
  find('#expiry', HTMLElement).textContent =
    times.length === 0 ? '' : `${words.expires} ${formatUntil(words.language, Math.min(...times), Date.now())}`
}

/** All that has a private link: galleries, and the images outside of them. */
function uploads(): Remembered[] {
  const timeMs = Date.now()
  return shown.flatMap(({ images, gallery, name }) => {
    const thumbnailUrl = images[0]?.thumbnailUrl
    if (gallery?.manageUrl !== undefined) {
      const { url, manageUrl, expiresAtMs } = gallery
      return [{ kind: 'gallery' as const, name, pageUrl: url, thumbnailUrl, manageUrl, timeMs, expiresAtMs }]
    }
    return images.flatMap((image) =>
      image.manageUrl === undefined ? [] : [rememberedOf(image, image.manageUrl, timeMs)],
    )
  })
}

function rememberedOf(
  { title, pageUrl, thumbnailUrl, expiresAtMs }: Uploaded,
  manageUrl: string,
  timeMs: number,
): Remembered {
  return { kind: 'picture', name: title, pageUrl, thumbnailUrl, manageUrl, timeMs, expiresAtMs }
}

/** Shows the private links in these fields only. */
function showPrivateLinks(): void {
  const links = uploads().map(({ name, manageUrl }) => ({ name: name || words.gallery, url: manageUrl }))
  const single = links.length === 1
  find('#private-one', HTMLElement).hidden = !single
  find('#private-all', HTMLElement).hidden = single
  find('#code-private', HTMLInputElement).value = single ? (links[0]?.url ?? '') : ''
  find('#code-private-all', HTMLTextAreaElement).value = single
    ? ''
    : links.map(({ name, url }) => `${name}  ${url}`).join('\n')
  showRemembering()
}

/** Says whether this device remembers the results. If not, their private links are shown, for they are to be saved now. */
function showRemembering(): void {
  const isStored = areRemembered()
  find('#remembering', HTMLElement).dataset.stored = String(isStored)
  find('#remembered-words', HTMLElement).textContent = isStored ? words.remembered : words.notRemembered
  const button = find('#remember', HTMLButtonElement)
  button.textContent = isStored ? words.dontRemember : words.remember
  button.hidden = !isStored && !canRemember()
  privateLinks.open = !isStored
}

function areRemembered(): boolean {
  return uploads().every(({ pageUrl }) => isRemembered(pageUrl)) && (isRemembering() || !hasResults())
}

function noteCopy(): void {
  isCopied = true
}
