/** Makes a click on the picture, or on its button, switch between fitting the window and full size. */
export function enableZooming(): void {
  const image = document.getElementById('image')
  const frame = image?.parentElement
  const button = document.querySelector<HTMLButtonElement>('button[data-zoom]')
  if (!(image instanceof HTMLImageElement) || !frame || !button) return

  // Before it loads, the picture has no width.
  const fitsAnyway = () => image.naturalWidth <= image.clientWidth
  const toggle = (event?: MouseEvent) => {
    const { left, top, width, height } = image.getBoundingClientRect()
    const zoomed = frame.classList.toggle('zoomed')
    // The arrow keys scroll the focused element.
    frame.tabIndex = zoomed ? 0 : -1
    button.setAttribute('aria-pressed', String(zoomed))
    if (!zoomed || !event) return
    // The clicked point stays under the pointer.
    const { clientX, clientY } = event
    frame.scrollLeft = ((clientX - left) / width) * image.clientWidth - clientX + frame.getBoundingClientRect().left
    window.scrollBy(0, ((clientY - top) / height) * image.clientHeight - (clientY - image.getBoundingClientRect().top))
  }
  const offer = () => {
    const zoomable = !fitsAnyway() || frame.classList.contains('zoomed')
    frame.classList.toggle('zoomable', zoomable)
    button.hidden = !zoomable
  }
  image.addEventListener('click', (event) => frame.classList.contains('zoomable') && toggle(event))
  button.addEventListener('click', () => toggle())
  image.addEventListener('load', offer)
  window.addEventListener('resize', offer)
  offer()
}
