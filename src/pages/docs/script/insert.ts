import type { EmbedMessage } from '../../upload/embed-message.ts'

/** The part of SCEditor's API that is used. SMF and MyBB use this editor, which hides its text field. */
interface Editors {
  sceditor?: {
    instance?: (field: HTMLElement) => { insert: (codes: string) => void; val: () => string } | undefined
  }
}

/** The part of CodeMirror 5's API that is used. */
interface Mirrored {
  CodeMirror?: { getCursor: () => { line: number; ch: number }; execCommand: (command: string) => void }
}

export const EDITORS = '.CodeMirror, [contenteditable], iframe, textarea'
/** The nearest elements around a hidden field that may contain its editor. */
const MAX_LEVELS = 3
/** Editors may insert a paste later. Pages behind the popup have one timer a second. */
const SETTLING_MS = 400
/** Editors compare their page with their content within this time. */
const STAYING_MS = 100

/**
 * Inserts codes into the editor of a field, where its cursor is. Returns whether their addresses are in its content. A field
 * that cannot be seen is never changed, only the editor that replaced it.
 */
export async function insert(
  field: HTMLElement,
  { codes, html = codes }: Omit<EmbedMessage, 'kind'>,
): Promise<boolean> {
  const { sceditor }: Editors = Object.assign({}, { sceditor: Reflect.get(window, 'sceditor') })
  const instance = sceditor?.instance?.(field)
  if (instance) {
    const hasArrived = arrivalOf(codes, () => instance.val())
    instance.insert(codes)
    return hasArrived()
  }
  const editor = editorOf(field)
  if (!editor) return false
  const isCodeMirror = editor.closest('.CodeMirror')
  if (editor instanceof HTMLTextAreaElement && !isCodeMirror) return insertIntoField(editor, codes)
  return insertIntoEditor(editor, isCodeMirror ?? editor, codes, html)
}

async function insertIntoField(field: HTMLTextAreaElement, codes: string): Promise<boolean> {
  const hasArrived = arrivalOf(codes, () => field.value)
  const { selectionStart, selectionEnd, value } = field
  // In a text that nobody has clicked into, the cursor is at its beginning.
  const [start, end] = selectionEnd === 0 ? [value.length, value.length] : [selectionStart, selectionEnd]
  const gap = /(?:^|\n)$/.test(value.slice(0, start)) ? '' : '\n'
  field.focus()
  field.setRangeText(`${gap}${codes}\n`, start, end, 'end')
  // Editors that keep a text of their own learn of it as of typing.
  field.dispatchEvent(new Event('input', { bubbles: true }))
  field.dispatchEvent(new Event('change', { bubbles: true }))
  // Some of them write their own text back.
  await pause(0)
  return hasArrived()
}

/** Inserts as a user who pastes: first HTML, then, into an editor that drops images, the codes as text. */
async function insertIntoEditor(editor: HTMLElement, root: Element, codes: string, html: string): Promise<boolean> {
  const { ownerDocument } = editor
  const run = (command: string, value: string) => ownerDocument.execCommand(command, false, value)
  const text = { 'text/plain': `${root.textContent?.trim() ? '\n' : ''}${codes}\n` }
  editor.focus()
  putCursorInto(editor, root)
  // Editors learn of the cursor by an event.
  await pause(0)
  const hasArrived = arrivalOf(codes, () => root.innerHTML + root.textContent)
  const before = root.textContent
  for (const attempt of [
    () => paste(editor, { 'text/html': html, ...text }),
    () => run('insertHTML', html),
    () => paste(editor, text),
    () => run('insertText', codes),
  ]) {
    try {
      attempt()
    } catch {
      // The page's policy allows no insertHTML (Trusted Types).
    }
    if (await settled(hasArrived)) return true
    // The editor has changed the codes: a second attempt would insert them twice.
    if (root.textContent !== before) return false
  }
  return false
}

function paste(editor: HTMLElement, content: Readonly<Record<string, string>>): void {
  // An editor in a frame compares classes with those of the frame.
  const { DataTransfer, ClipboardEvent } = editor.ownerDocument.defaultView ?? window
  const clipboardData = new DataTransfer()
  for (const [type, data] of Object.entries(content)) clipboardData.setData(type, data)
  editor.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true, composed: true }))
}

/** Puts the cursor at the end of an editor that does not have it. */
function putCursorInto(editor: HTMLElement, root: Element): void {
  const { CodeMirror: mirror }: Mirrored = Object.assign({}, { CodeMirror: Reflect.get(root, 'CodeMirror') })
  if (mirror) {
    const { line, ch } = mirror.getCursor()
    if (line + ch === 0) mirror.execCommand('goDocEnd')
    return
  }
  const selection = editor.ownerDocument.getSelection()
  const { focusNode, focusOffset = 0 } = selection ?? {}
  if (focusNode && editor.contains(focusNode)) {
    const range = editor.ownerDocument.createRange()
    range.selectNodeContents(editor)
    range.setEnd(focusNode, focusOffset)
    // In a text that nobody has clicked into, the cursor is at its beginning.
    if (range.toString()) return
  }
  selection?.selectAllChildren(editor)
  selection?.collapseToEnd()
}

/** Returns whether the codes arrive, and stay: editors that know no images remove them from their page a moment later. */
async function settled(hasArrived: () => boolean): Promise<boolean> {
  await pause(STAYING_MS)
  if (!hasArrived()) await pause(SETTLING_MS)
  return hasArrived()
}

/** Returns a function that returns whether an address of each code was added to the content since. */
function arrivalOf(codes: string, content: () => string): () => boolean {
  const addresses = codes.split('\n').map((code) => code.match(/https?:[^\s"<>()[\]]+/g) ?? [])
  const count = (address: string) => content().split(address).length
  const before = new Map(addresses.flat().map((address) => [address, count(address)]))
  return () => addresses.every((all) => all.some((address) => count(address) > (before.get(address) ?? 0)))
}

/** Returns the visible element that takes the input of a field: itself, or that of the editor which replaced it. */
function editorOf(field: HTMLElement): HTMLElement | undefined {
  const own = inputOf(field)
  let around = field.parentElement
  for (let level = 0; !own && around && level < MAX_LEVELS; level++) {
    const all = [...around.querySelectorAll(EDITORS)].filter(
      (element) => inputOf(element) && (level === 0 || !(element instanceof HTMLTextAreaElement)),
    )
    // Most editors follow their field. The others are around it, or before it.
    const isAfter = (element: Element) => field.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING
    const found = all.find(isAfter) ?? all.at(-1)
    if (found) return inputOf(found)
    if (around.matches('form, body')) break
    around = around.parentElement
  }
  return own
}

/** Returns the element that takes the input of an editor, if the user can see the editor and write in it. */
export function inputOf(element: Element): HTMLElement | undefined {
  if (!(element instanceof HTMLElement) || !isVisible(element)) return undefined
  if (element.matches('.CodeMirror'))
    return element.querySelector<HTMLElement>('textarea, [contenteditable]') ?? undefined
  if (element instanceof HTMLTextAreaElement) {
    return element.readOnly || element.disabled || element.closest('.CodeMirror') ? undefined : element
  }
  const input = element instanceof HTMLIFrameElement ? element.contentDocument?.body : element
  return input?.isContentEditable && !input.parentElement?.isContentEditable ? input : undefined
}

/** Returns whether an element can be seen. Some editors shrink their field, or move it out of the page. */
function isVisible(element: HTMLElement): boolean {
  const { width, height, right } = element.getBoundingClientRect()
  const { visibility, opacity } = getComputedStyle(element)
  return width > 1 && height > 1 && right + scrollX > 0 && visibility === 'visible' && opacity !== '0'
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
