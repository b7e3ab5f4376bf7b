import * as routes from '../../../routes.ts'
import { find } from '../../shell/script/elements.ts'
import { announce, keepFocus } from './focus.ts'
import { bytes, plural } from './formats.ts'
import type * as Stored from './share/shared-files.ts'
import { words } from './words.ts'

/** The display mode of the manifest, and the one that systems without it use instead. */
const INSTALLED = '(display-mode: minimal-ui), (display-mode: standalone)'
/** Key of this window's storage: the time of the first share of its list. */
const FIRST = 'shared'

/** The missing part of a share. */
interface Missing {
  /** Number of files that were not stored. */
  left: number
  /** Whether the share broke off, so that any number of files may be missing. */
  isInterrupted: boolean
}

const card = find('#shared', HTMLElement)
/** Loaded only where something was shared. */
let stored: typeof Stored | undefined

/**
 * Handles what another app has shared and the service worker stored: the installed app shows it, and passes it to `add` when the user
 * says so. In a tab it is deleted: a foreign page sent it. Only the installed app registers the worker.
 */
export async function prepareShared(add: (files: readonly File[]) => void): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const isInstalled = matchMedia(INSTALLED).matches
  const search = new URLSearchParams(location.search)
  const share = search.get('shared')
  if (share !== null || sessionStorage.getItem(FIRST) !== null) stored = await import('./share/shared-files.ts')
  if (stored && share !== null) {
    history.replaceState(null, '', routes.home)
    const missing = { left: Number(search.get('left') ?? 0), isInterrupted: search.has('interrupted') }
    if (isInstalled) await showShare(stored, Number(share), missing, add)
    else await stored.forgetShare(Number(share))
  } else {
    // A list that was reloaded is empty: what waited in it must not come with the next share.
    await forgetList()
  }
  if (isInstalled) return register()
  window.addEventListener('appinstalled', () => void register())
  await (await navigator.serviceWorker.getRegistration(routes.share))?.update()
}

/** Deletes the stored copy of a file that the list shows no more, if it was shared. */
export function forgetShared(file: File): void {
  void stored?.forgetShared(file)
}

/** Deletes the stored copies of all shared files. */
export function forgetAllShared(): void {
  void forgetList()
}

async function forgetList(): Promise<void> {
  if (!stored) return
  sessionStorage.removeItem(FIRST)
  await stored.forgetAllShared()
}

async function register(): Promise<void> {
  await navigator.serviceWorker.register(routes.shareWorker, { scope: routes.share })
}

async function showShare(
  { readShared, confirmShared, forgetShared }: typeof Stored,
  timeMs: number,
  { left, isInterrupted }: Missing,
  add: (files: readonly File[]) => void,
): Promise<void> {
  const firstMs = Number(sessionStorage.getItem(FIRST) ?? timeMs)
  sessionStorage.setItem(FIRST, String(firstMs))
  const files = await readShared(firstMs).catch(() => undefined)
  const { added, unconfirmed } = files ?? { added: [], unconfirmed: [] }
  const missing = { left, isInterrupted: isInterrupted || !files }
  if (added.length > 0) add(added)
  if (unconfirmed.length === 0 && !(missing.left > 0) && !missing.isInterrupted) return
  describe(unconfirmed, missing)
  find('#shared-add', HTMLButtonElement).addEventListener('click', () => {
    close()
    confirmShared(timeMs)
    add(unconfirmed)
  })
  find('#shared-discard', HTMLButtonElement).addEventListener('click', () => {
    close()
    for (const file of unconfirmed) void forgetShared(file)
  })
}

function describe(files: readonly File[], { left, isInterrupted }: Missing): void {
  const size = files.reduce((sum, file) => sum + file.size, 0)
  const total = `${plural(words.imageCount, files.length)} · ${bytes(size)}`
  find('#shared-total', HTMLElement).textContent = total
  find('#shared-names', HTMLElement).replaceChildren(...files.map(({ name }) => nameRow(name)))
  find('#shared-add', HTMLButtonElement).hidden = files.length === 0
  find('#shared-left', HTMLElement).hidden = !(left > 0)
  find('#shared-left-words', HTMLElement).textContent = plural(words.sharedLeft, left)
  find('#shared-interrupted', HTMLElement).hidden = !isInterrupted
  card.hidden = false
  announce(`${find('#shared-heading', HTMLElement).textContent}, ${total}`)
}

function nameRow(name: string): HTMLElement {
  const row = document.createElement('li')
  row.textContent = name
  return row
}

function close(): void {
  card.hidden = true
  keepFocus(find('#img', HTMLElement))
}
