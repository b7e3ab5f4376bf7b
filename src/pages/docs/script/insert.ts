/** The part of SCEditor's API that is used. SMF and MyBB use this editor, which hides its text field. */
interface Editors {
  sceditor?: { instance?: (field: HTMLTextAreaElement) => { insert: (codes: string) => void } | undefined }
}

/** Inserts codes into a text where its cursor is, on lines of their own. */
export function insert(field: HTMLTextAreaElement, codes: string): void {
  const { sceditor }: Editors = Object.assign({}, { sceditor: Reflect.get(window, 'sceditor') })
  const editor = sceditor?.instance?.(field)
  if (editor) {
    editor.insert(codes)
    return
  }
  const { selectionStart, selectionEnd, value } = field
  // In a text that nobody has clicked into, the cursor is at its beginning.
  const [start, end] = selectionEnd === 0 ? [value.length, value.length] : [selectionStart, selectionEnd]
  const gap = /(?:^|\n)$/.test(value.slice(0, start)) ? '' : '\n'
  field.focus()
  field.setRangeText(`${gap}${codes}\n`, start, end, 'end')
  // Editors that keep a text of their own learn of it as of typing.
  field.dispatchEvent(new Event('input', { bubbles: true }))
  field.dispatchEvent(new Event('change', { bubbles: true }))
}
