/** The first element of the page, or of a part of it, that a selector finds. The page has it: without it the script is of no use. */
export function find<Wanted extends Element>(
  selector: string,
  kind: abstract new () => Wanted,
  root: ParentNode = document,
): Wanted {
  const element = root.querySelector(selector)
  if (element instanceof kind) return element
  throw new Error(`the page has no ${selector}`)
}

/** A new copy of what the template of this id holds. */
export function copyOfTemplate(id: string): HTMLElement {
  const copy = find(`template#${id}`, HTMLTemplateElement).content.firstElementChild?.cloneNode(true)
  if (copy instanceof HTMLElement) return copy
  throw new Error(`the template ${id} is empty`)
}
