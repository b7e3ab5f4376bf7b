/** The first element of the page, or of a part of it, that matches a selector. Throws if there is none: the markup must have it. */
export function find<Wanted extends Element>(
  selector: string,
  kind: abstract new () => Wanted,
  root: ParentNode = document,
): Wanted {
  const element = root.querySelector(selector)
  if (element instanceof kind) return element
  throw new Error(`the page has no ${selector}`)
}

/** A new copy of the content of the template with this id. */
export function copyOfTemplate(id: string): HTMLElement {
  const copy = find(`template#${id}`, HTMLTemplateElement).content.firstElementChild?.cloneNode(true)
  if (copy instanceof HTMLElement) return copy
  throw new Error(`the template ${id} is empty`)
}

/** Chooses files in place of those that are chosen. */
export function chooseFiles(input: HTMLInputElement, files: readonly File[]): void {
  const chosen = new DataTransfer()
  for (const file of files) chosen.items.add(file)
  input.files = chosen.files
}

/** Marks a thumbnail that is smaller than its place, once it is loaded: an icon is not to be enlarged. */
export function flagSmall(image: HTMLImageElement): void {
  image.addEventListener('load', () => {
    const { naturalWidth, naturalHeight, clientWidth, clientHeight } = image
    image.classList.toggle('small', naturalWidth < clientWidth && naturalHeight < clientHeight)
  })
}
