import { MINUTE_MS } from '../../../units.ts'
import { find } from '../../shell/script/elements.ts'
import { plural } from './formats.ts'
import { words } from './words.ts'

/** Key of this window's storage: the number of images whose results it showed last, and when. */
const KEY = 'results'
const SHOWN_MS = 30 * MINUTE_MS

/** Notes that this window shows the results of so many images, which this device remembers; 0 for none. */
export function noteResults(count: number): void {
  try {
    sessionStorage.setItem(KEY, `${count} ${Date.now()}`)
  } catch {
    // A reload loses them.
  }
}

/** Says where to find the results that this window showed before a reload. */
export function showEarlierResults(): void {
  const [count = 0, timeMs = 0] = readNote()
  if (!(count > 0) || !(Date.now() - timeMs < SHOWN_MS)) return
  find('#earlier-words', HTMLElement).textContent = plural(words.allDone, count)
  find('#earlier', HTMLElement).hidden = false
}

function readNote(): number[] {
  try {
    return (sessionStorage.getItem(KEY) ?? '').split(' ').map(Number)
  } catch {
    return []
  }
}
