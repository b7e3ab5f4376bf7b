import { find } from '../../shell/script/elements.ts'
import { fetchFile } from './files/fetching.ts'
import { identityOf } from './files/image-files.ts'
import type { Item } from './item.ts'
import { later } from './later.ts'
import { forgetShared } from './shared.ts'
import type { Store } from './store.ts'
import { reportUnfit, type Unfit } from './unfit.ts'

const judging = later(() => import('./files/judging.ts'))
let nextId = 1

/** Takes files into the list. */
export interface Taker {
  /** Adds files, those of one call after those of the one before. */
  files: (files: readonly File[]) => void
  address: (address: URL) => void
  /** Resolves when all files are in the list, or reported. */
  idle: () => Promise<void>
}

export function createTaker({ state, dispatch }: Store): Taker {
  const form = find('#upload', HTMLFormElement)
  let taking = Promise.resolve()

  function take(files: readonly File[]): void {
    form.setAttribute('aria-busy', 'true')
    taking = taking
      .then(() => judgeAll(files))
      .catch(() => dispatch({ type: 'gathering', notice: 'network' }))
      .finally(() => {
        form.setAttribute('aria-busy', 'false')
      })
  }

  /** Adds the files that can be uploaded, each only once, and reports the others. */
  async function judgeAll(files: readonly File[]): Promise<void> {
    if (!judging.isLoaded() && !navigator.onLine) dispatch({ type: 'gathering', notice: 'offline' })
    const { judge } = await judging.load()
    const known = new Set(state().items.map(({ file }) => identityOf(file)))
    const ids: number[] = []
    const unfits: Unfit[] = []
    for (const file of files) {
      if (known.has(identityOf(file))) continue
      known.add(identityOf(file))
      const verdict = await judge(file)
      if (verdict.isFit) ids.push(add(file, verdict))
      else unfits.push({ file, ...verdict })
    }
    const { items } = state()
    for (const file of files) if (!items.some((item) => item.file === file)) forgetShared(file)
    dispatch({ type: 'gathered', ids: ids.filter((id) => items.some((item) => item.id === id)) })
    reportUnfit(unfits)
  }

  function add(file: File, { size, mayHaveLocation }: Pick<Item, 'size' | 'mayHaveLocation'>) {
    const id = nextId++
    const key = isSecureContext ? crypto.randomUUID() : undefined
    dispatch({ type: 'added', item: { id, file, size, key, mayHaveLocation, progress: { state: 'waiting' } } })
    return id
  }

  async function takeFrom(address: URL): Promise<void> {
    dispatch({ type: 'gathering', notice: 'fetching' })
    const file = await fetchFile(address)
    dispatch({ type: 'gathering', notice: file ? undefined : 'fetchFailed' })
    if (file) take([file])
  }

  // Loaded while the visitor still chooses: later there may be no connection.
  for (const sign of ['pointerover', 'focusin', 'dragenter']) {
    form.addEventListener(sign, judging.loadEarly, { once: true })
  }
  return {
    files: take,
    address: (address) => void takeFrom(address),
    async idle() {
      for (let last: typeof taking | undefined; last !== taking; ) {
        last = taking
        await last
      }
    },
  }
}
