const SHOWN_MS = 2000

/**
 * Shows the copy buttons under `root`: each copies the value of the field that its `data-copy` names, or its `data-copy-text`, and
 * says so.
 */
export function enableCopying(root: ParentNode): void {
  for (const button of root.querySelectorAll<HTMLButtonElement>('button.copy')) {
    button.hidden = false
    button.addEventListener('click', () => {
      const { copy: id, copyText } = button.dataset
      if (copyText !== undefined) return void copyOf(copyText, button)
      const field = document.getElementById(id ?? '')
      if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) void copy(field, button)
      else if (field) void copyOf(field.textContent ?? '', button)
    })
  }
}

async function copy(field: HTMLInputElement | HTMLTextAreaElement, button: HTMLButtonElement): Promise<void> {
  field.select()
  if (await copyOf(field.value, button)) return
  field.focus()
  field.select()
}

/** Returns whether the text was copied. */
async function copyOf(text: string, button: HTMLButtonElement): Promise<boolean> {
  const copied = await write(text)
  const words = button.querySelector('[aria-live]')
  if (!words) return copied
  button.dataset.label ??= words.textContent ?? ''
  button.toggleAttribute('data-copied', copied)
  words.textContent = (copied ? button.dataset.copiedText : button.dataset.failedText) ?? ''
  setTimeout(() => {
    button.removeAttribute('data-copied')
    words.textContent = button.dataset.label ?? ''
  }, SHOWN_MS)
  return copied
}

/** Without HTTPS there is no clipboard but for what is selected. */
async function write(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copySelected(text)
  }
}

function copySelected(text: string): boolean {
  const { activeElement } = document
  const field = document.createElement('textarea')
  field.value = text
  // Beside a modal dialog nothing can be selected.
  const parent = document.querySelector('dialog:modal') ?? document.body
  parent.append(field)
  field.select()
  const copied = document.execCommand('copy')
  field.remove()
  if (activeElement instanceof HTMLElement) activeElement.focus({ preventScroll: true })
  return copied
}
