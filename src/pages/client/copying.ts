const SHOWN_MS = 2000

/** Shows the copy buttons under `root`: each copies the value of the field that its `data-copy` names, and says so. */
export function enableCopying(root: ParentNode): void {
  for (const button of root.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
    button.hidden = false
    button.addEventListener('click', () => {
      const field = document.getElementById(button.dataset.copy ?? '')
      if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) void copy(field, button)
    })
  }
}

async function copy(field: HTMLInputElement | HTMLTextAreaElement, button: HTMLButtonElement): Promise<void> {
  field.select()
  const copied = await write(field.value)
  const words = button.querySelector('[aria-live]')
  if (!words) return
  button.dataset.label ??= words.textContent ?? ''
  button.toggleAttribute('data-copied', copied)
  words.textContent = (copied ? button.dataset.copiedText : button.dataset.failedText) ?? ''
  setTimeout(() => {
    button.removeAttribute('data-copied')
    words.textContent = button.dataset.label ?? ''
  }, SHOWN_MS)
}

/** Without HTTPS the clipboard is not available: the selected text can still be copied by hand. */
async function write(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
