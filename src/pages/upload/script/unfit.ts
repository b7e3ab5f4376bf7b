import { format } from '../../shell/formatting.ts'
import { copyOfTemplate, find } from '../../shell/script/elements.ts'
import type { Unfitness } from '../upload-words.ts'
import { announce } from './focus.ts'
import { plural } from './formats.ts'
import { later } from './later.ts'
import { words } from './words.ts'

/** A file that cannot be uploaded as it is. */
export interface Unfit {
  file: File
  why: Unfitness
  isCurable: boolean
}

const notice = find('#unfit', HTMLElement)
const curing = later(() => import('./files/fixing.ts'))
let unfits: readonly Unfit[] = []

/** Sets up the notice of files that cannot be uploaded as they are; `take` gets those that were made fit. */
export function prepareUnfit(take: (files: readonly File[]) => void): void {
  find('#unfit-close', HTMLButtonElement).addEventListener('click', forgetUnfit)
  notice.addEventListener('click', ({ target }) => {
    if (!(target instanceof HTMLButtonElement) || target.dataset.why === undefined) return
    target.disabled = true
    target.textContent = words.unfit.curing
    const curable = unfits.filter(({ why, isCurable }) => isCurable && why === target.dataset.why)
    void fixAll(curable).then(take, () => show(unfits))
  })
}

/** Closes the notice. */
export function forgetUnfit(): void {
  show([])
}

/** Adds files to the notice. */
export function reportUnfit(more: readonly Unfit[]): void {
  if (more.length === 0) return
  show([...unfits, ...more])
  announce(find('#unfit-heading', HTMLElement).textContent ?? '')
}

function show(all: readonly Unfit[]): void {
  unfits = all
  notice.hidden = all.length === 0
  find('#unfit-heading', HTMLElement).textContent = plural(words.unfit.heading, all.length)
  const kinds = new Set(all.map(kindOf))
  const groups = [...kinds].map((kind) => groupOf(all.filter((unfit) => kindOf(unfit) === kind)))
  find('#unfit-groups', HTMLElement).replaceChildren(...groups)
}

/** The files of one kind are one group: they have the same reason and the same fix. */
function kindOf({ why, isCurable }: Unfit): string {
  return `${why} ${isCurable}`
}

function groupOf(group: readonly Unfit[]): HTMLElement {
  const element = copyOfTemplate('unfit-group')
  const [first] = group
  if (!first) return element
  find('.reason', HTMLElement, element).textContent = words.unfit.reasons[first.why]
  find('.names', HTMLElement, element).textContent = group.map(({ file }) => file.name).join(', ')
  const button = find('button', HTMLButtonElement, element)
  button.hidden = !first.isCurable
  if (first.isCurable) curing.loadEarly()
  button.dataset.why = first.why
  button.textContent = first.why === 'tooBig' ? words.unfit.makeSmaller : words.unfit.convert
  return element
}

/** Makes files fit, one at a time; what cannot be stays in the notice, without a fix. */
async function fixAll(curable: readonly Unfit[]): Promise<File[]> {
  const { fix } = await curing.load()
  const cured: File[] = []
  const failed: Unfit[] = []
  for (const unfit of curable) {
    const file = await fix(unfit.file, words.bounds)
    if (file) cured.push(file)
    else failed.push({ ...unfit, why: 'unreadable', isCurable: false })
  }
  show([...unfits.filter((unfit) => !curable.includes(unfit)), ...failed])
  for (const { file } of failed) announce(format(words.unfit.failed, { name: file.name }))
  return cured
}
