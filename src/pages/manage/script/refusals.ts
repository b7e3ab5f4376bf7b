// Shows images that were not stored, each with the reason (manage/refused-images.tsx).
import { formatPlural } from '../../shell/formatting.ts'
import { find } from '../../shell/script/elements.ts'
import type { AddingWords } from '../adding-words.ts'

/** An image that was not stored. */
export interface Refusal {
  name: string
  reason: string
}

/** Lists the images in place of those that were listed. */
export function showRefusals(refusals: readonly Refusal[], { language, failed }: AddingWords): void {
  const items = refusals.map(({ name, reason }) => {
    const [item, file, why] = [make('li'), make('bdi'), make('span')]
    file.className = 'file-name'
    file.textContent = name
    why.textContent = reason
    item.append(file, ' ', why)
    return item
  })
  find('#refused ul', HTMLElement).replaceChildren(...items)
  find('#refused', HTMLElement).hidden = items.length === 0
  if (items.length > 0) find('#refused p', HTMLElement).textContent = formatPlural(language, failed, items.length)
}

function make(name: 'li' | 'bdi' | 'span'): HTMLElement {
  return document.createElement(name)
}

const KEY = 'refused'

/** Images that a page hands to the next one, which shows the same gallery. */
interface Carried {
  gallery: string
  refusals: readonly Refusal[]
}

/** Stores images for the next page of this tab, which shows only their number where nothing may be stored. */
export function carryRefusals(carried: Carried): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(carried))
  } catch {
    // Nothing may be stored.
  }
}

/** Returns the images of an earlier page of a gallery; none where nothing may be stored. They stay for a reload. */
export function carriedRefusals(gallery: string): readonly Refusal[] {
  try {
    const carried: Carried | null = JSON.parse(sessionStorage.getItem(KEY) ?? 'null')
    return carried?.gallery === gallery ? carried.refusals : []
  } catch {
    return []
  }
}
