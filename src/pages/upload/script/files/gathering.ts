import { find } from '../../../shell/script/elements.ts'
import { addressIn, compareNames, isImageFile, namePasted } from './image-files.ts'

/** The type of dragged addresses, such as that of a link or of an image in another window. */
const ADDRESSES = 'text/uri-list'

/** Receives the gathered files and addresses. */
interface Taker {
  files: (files: readonly File[]) => void
  address: (address: URL) => void
  /** Whether the list may change now. */
  isOpen: () => boolean
}

/**
 * Takes the files that are picked, photographed, pasted, or dropped anywhere on the window, and addresses of images that are
 * pasted or dropped.
 */
export function gatherFiles({ files: take, address, isOpen }: Taker): void {
  for (const id of ['img', 'camera']) onPick(id, take)
  onPick('folder', (files) => take(imagesOf(files)))

  document.addEventListener('paste', (event) => {
    if (!isOpen()) return
    const files = [...(event.clipboardData?.files ?? [])]
    if (files.length > 0) return take(files.map((file) => namePasted(file, new Date())))
    const pasted = isField(event.target) ? undefined : addressIn(event.clipboardData?.getData('text/plain') ?? '')
    if (pasted) address(pasted)
  })

  const hint = find('#drop-hint', HTMLElement)
  let isOwn = false
  document.addEventListener('dragstart', () => {
    isOwn = true
  })
  document.addEventListener('dragend', () => {
    isOwn = false
  })
  /** Whether it is dragged here from elsewhere; addresses may go into fields, too. */
  const isForUs = ({ dataTransfer, target }: DragEvent) =>
    dataTransfer?.types.includes('Files') || (dataTransfer?.types.includes(ADDRESSES) && !isOwn && !isField(target))

  document.addEventListener('dragover', (event) => {
    if (!event.dataTransfer || !isForUs(event)) return
    // Otherwise the browser would open the file instead of the page.
    event.preventDefault()
    event.dataTransfer.dropEffect = isOpen() ? 'copy' : 'none'
    hint.hidden = !isOpen()
  })
  document.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) hint.hidden = true
  })
  document.addEventListener('drop', (event) => {
    if (!event.dataTransfer || !isForUs(event)) return
    event.preventDefault()
    hint.hidden = true
    if (!isOpen()) return
    const dropped = event.dataTransfer.files.length > 0 ? undefined : addressIn(event.dataTransfer.getData('URL'))
    if (dropped) address(dropped)
    else void droppedFiles(event.dataTransfer).then(take)
  })
}

function isField(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('input, textarea')
}

function onPick(id: string, take: (files: readonly File[]) => void): void {
  const input = find(`#${id}`, HTMLInputElement)
  const takeAll = () => {
    const files = [...(input.files ?? [])]
    // Reset, so that a file that was removed can be picked again.
    input.value = ''
    if (files.length > 0) take(files)
  }
  input.addEventListener('change', takeAll)
  // The label looks like a button, so Enter must work, too.
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    input.click()
  })
  // Files may have been picked before the script ran.
  takeAll()
}

/** The dropped files, those of folders in the order of their names. The entries are available only during the event. */
async function droppedFiles({ items, files }: DataTransfer): Promise<File[]> {
  const dropped = [...items].filter(({ kind }) => kind === 'file')
  const entries = dropped.map((item) => item.webkitGetAsEntry())
  const loose = [...files]
  if (!entries.some((entry) => entry?.isDirectory)) return loose
  const found = await Promise.all(entries.map((entry) => (entry ? filesUnder(entry, false) : [])))
  return found.flat()
}

async function filesUnder(entry: FileSystemEntry, inFolder: boolean): Promise<File[]> {
  if (entry instanceof FileSystemDirectoryEntry) {
    const entries = await entriesOf(entry)
    const found = entries.toSorted((a, b) => compareNames(a.name, b.name)).map((inner) => filesUnder(inner, true))
    return (await Promise.all(found)).flat()
  }
  if (!(entry instanceof FileSystemFileEntry)) return []
  const file = await new Promise<File | undefined>((resolve) => entry.file(resolve, () => resolve(undefined)))
  return file && (!inFolder || isImageFile(file)) ? [file] : []
}

/** Reads all entries: a reader returns some at a time, and none at the end. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve) => reader.readEntries(resolve, () => resolve([])))
    if (some.length === 0) return all
    all.push(...some)
  }
}

function imagesOf(files: readonly File[]): File[] {
  return files.filter(isImageFile).toSorted((a, b) => compareNames(a.webkitRelativePath, b.webkitRelativePath))
}
