import { find } from '../../shell/script/elements.ts'

/**
 * Focuses an element if the focused one was removed, so that keyboard users keep their place. Scrolls only if the element is out
 * of view.
 */
export function keepFocus(next: HTMLElement): void {
  const active = document.activeElement
  const lost = !active || active === document.body || active.getClientRects().length === 0
  if (!lost) return
  next.focus({ preventScroll: true })
  const { top, bottom } = next.getBoundingClientRect()
  if (top < 0 || bottom > window.innerHeight) next.scrollIntoView({ block: 'nearest' })
}

/** Announces a text to screen readers, after what they are saying. */
export function announce(text: string): void {
  find('#announcement', HTMLElement).textContent = text
}
