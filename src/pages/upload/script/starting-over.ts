import { find } from '../../shell/script/elements.ts'
import { deleteByLink } from './deleting.ts'
import { plural } from './formats.ts'
import type { Sent, SentLink } from './state.ts'
import { words } from './words.ts'

/** The user's decision, and what follows from it. */
interface Decision {
  /** This one is deleted; others may still be there. */
  deletedOne: (link: SentLink) => void
  /** Everything is deleted. */
  deleted: () => void
  /** The sent images stay, and are shown. */
  keep: () => void
}

const dialog = find('#start-over', HTMLDialogElement)
const failure = find('#start-over-failure', HTMLElement)
const deleteButton = find('#delete-sent', HTMLButtonElement)
const keepButton = find('#keep-sent', HTMLButtonElement)

/** Asks what should happen to images that were sent already: nothing stays public by accident. */
export function askAboutSent({ count, links }: Sent, { deletedOne, deleted, keep }: Decision): void {
  const left = new Set(links)
  failure.textContent = ''
  find('#start-over-heading', HTMLElement).textContent = plural(words.startingOver.sent, count)
  deleteButton.onclick = async () => {
    deleteButton.disabled = keepButton.disabled = true
    failure.textContent = ''
    const before = left.size
    for (const link of left) {
      if (link.manageUrl === undefined || (await deleteByLink(link.manageUrl)) !== 'deleted') continue
      left.delete(link)
      deletedOne(link)
    }
    deleteButton.disabled = keepButton.disabled = false
    if (left.size === 0) return finish(deleted)
    const { deleted: some, failed } = words.startingOver
    const parts = left.size < before ? [plural(some, before - left.size)] : []
    failure.textContent = [...parts, plural(failed, left.size === links.length ? count : left.size)].join(' ')
    // A disabled button has lost the focus.
    deleteButton.focus()
  }
  keepButton.onclick = () => finish(keep)
  find('#cancel-start-over', HTMLButtonElement).onclick = () => dialog.close()
  dialog.showModal()

  function finish(act: () => void): void {
    dialog.close()
    act()
  }
}
