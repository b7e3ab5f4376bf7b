/** Makes the arrow keys open the previous or the next image or page, depending on the reading direction. */
export function enableNeighbourKeys(): void {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || isBusy(event.target)) return
    const forwards = document.documentElement.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    const rel = event.key === forwards ? 'next' : 'prev'
    document.querySelector<HTMLAnchorElement>(`main a[rel=${rel}]`)?.click()
  })
}

/** Whether the focused element uses the keys itself. */
function isBusy(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.matches('input, textarea, select, [role=tab]')
}
