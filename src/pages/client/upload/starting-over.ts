import { deleteByLink } from '../deleting.ts'
import { find } from '../elements.ts'
import { plural } from './formats.ts'
import { words } from './words.ts'

/** What was sent: how many pictures, and the private links that delete all of them. */
export interface Sent {
  count: number
  manageUrls: readonly string[]
}

/** The user's decision, and what follows from it. */
interface Decision {
  /** Everything is deleted. */
  deleted: () => void
  /** What was sent stays, and is to be shown. */
  keep: () => void
}

const dialog = find('#start-over', HTMLDialogElement)
const failure = find('#start-over-failure', HTMLElement)
const deleteButton = find('#delete-sent', HTMLButtonElement)
const keepButton = find('#keep-sent', HTMLButtonElement)

/** Asks what should happen to pictures that were sent already: nothing stays public by accident. */
export function askAboutSent({ count, manageUrls }: Sent, { deleted, keep }: Decision): void {
  const left = new Set(manageUrls)
  failure.textContent = ''
  find('#start-over-heading', HTMLElement).textContent = plural(words.startingOver.sent, count)
  deleteButton.onclick = async () => {
    deleteButton.disabled = keepButton.disabled = true
    failure.textContent = ''
    for (const url of left) if ((await deleteByLink(url)) === 'deleted') left.delete(url)
    deleteButton.disabled = keepButton.disabled = false
    if (left.size > 0) failure.textContent = words.startingOver.failed
    else finish(deleted)
  }
  keepButton.onclick = () => finish(keep)
  find('#cancel-start-over', HTMLButtonElement).onclick = () => dialog.close()
  dialog.showModal()

  function finish(act: () => void): void {
    dialog.close()
    act()
  }
}
