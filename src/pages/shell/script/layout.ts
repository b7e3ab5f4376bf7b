// The script of every page, which runs before the page is shown: a chosen theme is stored on this device, and holds from the first
// paint on. It may import nothing that is loaded later.
const KEY = 'theme'
const SHOWN = ['light', 'dark']
const PAPER: Record<string, string> = { light: '#faf8f5', dark: '#161412' }
const root = document.documentElement
// The style sheets make room for what scripts show. `@media (scripting)` is younger than the oldest browsers of the pages.
root.classList.add('scripted')
// Space for the share button is reserved only if the browser supports sharing.
if ('share' in navigator) root.classList.add('sharing')

/** Returns a choice that this device has stored; null without one, and where nothing may be stored. */
function stored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Stores a choice, or removes it. Where nothing may be stored, it holds for this page, and in the addresses of links. */
function store(key: string, choice: string | undefined): void {
  try {
    if (choice === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, choice)
  } catch {
    // Nothing may be stored.
  }
}

function storeTheme(theme: string): void {
  store(KEY, SHOWN.includes(theme) ? theme : undefined)
}

/** Shows a theme; that of the device, if it is neither. */
function show(theme: string): void {
  const isChosen = SHOWN.includes(theme)
  if (isChosen) root.dataset.theme = theme
  else delete root.dataset.theme
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')) {
    meta.dataset.own ??= meta.content
    meta.content = (isChosen ? PAPER[theme] : undefined) ?? meta.dataset.own
  }
  for (const link of document.querySelectorAll<HTMLElement>('[data-choose-theme]')) {
    if (link.dataset.chooseTheme === (isChosen ? theme : 'auto')) link.setAttribute('aria-current', 'true')
    else link.removeAttribute('aria-current')
  }
}

/** Pages that are only read: the address of another may be that of a form. */
const READ = /^\/(?:$|uploads$|tools$|docs|show\/|gallery\/)/
const LANGUAGE = 'lang'

const address = new URL(location.href)
const language = stored(LANGUAGE)
if (language !== null && language !== root.lang && READ.test(address.pathname) && !address.searchParams.has(LANGUAGE)) {
  address.searchParams.set(LANGUAGE, language)
  location.replace(address)
}
const asked = address.searchParams.get(KEY)
if (asked !== null) {
  storeTheme(asked)
  // A stored choice is not needed in addresses that are copied.
  address.searchParams.delete(KEY)
  history.replaceState(history.state, '', address)
}
const wanted = asked ?? stored(KEY) ?? 'auto'
show(wanted)

/** Whether the reader agreed in this tab to see the adult images of this page (image/script/agreeing.ts). */
function hasAgreed(): boolean {
  try {
    return sessionStorage.getItem('agreed')?.includes(`${location.pathname}\n`) === true
  } catch {
    return false
  }
}

// Checked as soon as the parser adds it, and before it is painted: nothing moves.
if (hasAgreed()) {
  new MutationObserver((_records, observer) => {
    const consent = document.getElementById('consent')
    if (!(consent instanceof HTMLInputElement)) return
    consent.checked = true
    observer.disconnect()
  }).observe(document, { childList: true, subtree: true })
}

document.addEventListener('DOMContentLoaded', () => {
  show(wanted)
  const menu = document.querySelector<HTMLDetailsElement>('details.menu')
  if (!menu) return
  menu.addEventListener('click', (event) => {
    const target = event.target instanceof Element ? event.target : null
    const language = target?.closest<HTMLAnchorElement>('.languages a')?.hreflang
    if (language) store(LANGUAGE, language)
    const link = target?.closest<HTMLElement>('[data-choose-theme]')
    if (!link) return
    event.preventDefault()
    storeTheme(link.dataset.chooseTheme ?? '')
    show(link.dataset.chooseTheme ?? '')
  })
  document.addEventListener('click', (event) => {
    if (event.target instanceof Node && !menu.contains(event.target)) menu.open = false
  })
  menu.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !menu.open) return
    menu.open = false
    menu.querySelector('summary')?.focus()
  })
})

// WebKit shows a ring around each element that a script focuses, after clicks too.
for (const type of ['pointerdown', 'keydown']) {
  window.addEventListener(type, () => root.classList.toggle('pointing', type === 'pointerdown'), true)
}

/** The shared name of a thumbnail and its image, for the transition between them (CSS View Transitions 2). */
const SHARED = 'picture'

/** Names the thumbnail that links to an address on a gallery page, and returns it. */
function nameThumbnail(address: string | null | undefined): HTMLElement | undefined {
  const links = document.querySelectorAll<HTMLAnchorElement>('.images > a')
  // A page from the back/forward cache may still have the earlier name.
  for (const { firstElementChild: image } of links) if (image instanceof HTMLElement) unname(image)
  const image = [...links].find(({ href }) => href === address)?.firstElementChild
  if (!(image instanceof HTMLElement)) return undefined
  image.style.viewTransitionName = SHARED
  return image
}

function unname(image: HTMLElement): void {
  image.style.removeProperty('view-transition-name')
}

// Of the many thumbnails the one that was clicked has the name, and on the way back the one that one comes from.
window.addEventListener('pageswap', ({ viewTransition, activation }) => {
  if (viewTransition) nameThumbnail(activation?.entry.url)
  ignoreSkipping(viewTransition)
})
window.addEventListener('pagereveal', ({ viewTransition }) => {
  // WebKit has had transitions for longer than `navigation`.
  const image = viewTransition && nameThumbnail(window.navigation?.activation?.from?.url)
  ignoreSkipping(viewTransition, () => image && unname(image))
})

/** A transition that the browser skips, as in a hidden window, rejects its promises: then the page is just there. */
function ignoreSkipping(transition: ViewTransition | null, then: () => void = () => {}): void {
  void transition?.ready.catch(() => undefined)
  void transition?.finished.catch(() => undefined).then(then)
}

// The file is a module to the compiler, and none to the browser.
export type {}
