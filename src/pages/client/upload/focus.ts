import { find } from './elements.ts'

/**
 * Gives the focus to what follows, where the element that had it has gone: a reader with a keyboard is never lost. The page
 * stays where it is, unless what follows is out of sight.
 */
export function keepFocus(next: HTMLElement): void {
  const active = document.activeElement
  const lost = !active || active === document.body || !active.checkVisibility()
  if (!lost) return
  next.focus({ preventScroll: true })
  const { top, bottom } = next.getBoundingClientRect()
  if (top < 0 || bottom > window.innerHeight) next.scrollIntoView({ block: 'nearest' })
}

/** Has a screen reader say something when it has finished what it says. */
export function announce(text: string): void {
  find('#announcement', HTMLElement).textContent = text
}
