import { format } from '../../shell/formatting.ts'
import { copyOfTemplate, find } from '../../shell/script/elements.ts'
import { describeFailure } from '../upload-failure.ts'
import { bytes, percent } from './formats.ts'
import { type Item, isFailed, isRetryable, type Progress, sentShare } from './item.ts'
import { forgetPreview, showPreview } from './previews.ts'
import { words } from './words.ts'

const UNDER_WAY: readonly Progress['state'][] = ['sending', 'paused', 'processing']

/** The card of a file in the list. */
export interface FileCard {
  readonly element: HTMLElement
  /** Shows the progress of the item. */
  update: (item: Item) => void
  /** Focuses the button that the card shows now. */
  focus: () => void
  /** Removes the card from the list, and its preview. */
  discard: () => void
}

/** Makes a card with a preview, and buttons to remove and to retry the file. */
export function createFileCard(item: Item, actions: { remove: () => void; retry: () => void }): FileCard {
  const { file } = item
  const element = copyOfTemplate('file-card')
  const status = find('.status', HTMLElement, element)
  const bar = find('progress', HTMLProgressElement, element)
  const why = find('.why', HTMLElement, element)
  const remove = find('.remove', HTMLButtonElement, element)
  const retry = find('.retry', HTMLButtonElement, element)
  const canvas = find('canvas', HTMLCanvasElement, element)

  find('.name', HTMLElement, element).textContent = file.name
  find('.size', HTMLElement, element).textContent = bytes(file.size)
  find('.place', HTMLElement, element).hidden = !item.mayHaveLocation
  bar.setAttribute('aria-label', file.name)
  remove.setAttribute('aria-label', format(words.remove, { name: file.name }))
  retry.title = format(words.retry, { name: file.name })
  find('.visually-hidden', HTMLElement, retry).textContent = ` ${file.name}`
  remove.addEventListener('click', actions.remove)
  retry.addEventListener('click', actions.retry)
  showPreview(item, canvas)

  const update = (item: Item) => {
    const { progress } = item
    const { state } = progress
    element.dataset.state = state
    bar.value = sentShare(item)
    status.textContent = statusOf(item)
    why.textContent = progress.state === 'failed' ? describeFailure(words, progress) : ''
    remove.hidden = UNDER_WAY.includes(state) || state === 'done'
    retry.hidden = !isFailed(item) || !isRetryable(item)
  }
  update(item)
  return {
    element,
    update,
    focus: () => remove.focus(),
    discard() {
      forgetPreview(canvas)
      element.remove()
    },
  }
}

function statusOf({ progress }: Item): string {
  switch (progress.state) {
    case 'sending':
      return format(words.sending, { percent: percent(progress.sent) })
    case 'failed':
      return ''
    case 'paused':
      return words.waiting
    default:
      return words[progress.state]
  }
}
