import { find } from './elements.ts'
import { compareNames, looksLikePicture } from './picture-files.ts'

/** Calls `take` with the files that are picked, photographed, pasted, or dropped anywhere on the window while `isOpen`. */
export function gatherFiles(take: (files: readonly File[]) => void, isOpen: () => boolean): void {
  for (const id of ['img', 'camera']) onPick(id, take)
  onPick('folder', (files) => take(picturesOf(files)))

  document.addEventListener('paste', ({ clipboardData }) => {
    const files = [...(clipboardData?.files ?? [])]
    if (files.length > 0 && isOpen()) take(files)
  })

  const hint = find('#drop-hint', HTMLElement)
  document.addEventListener('dragover', (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return
    // Without this the browser would leave the page for the file.
    event.preventDefault()
    event.dataTransfer.dropEffect = isOpen() ? 'copy' : 'none'
    hint.hidden = !isOpen()
  })
  document.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) hint.hidden = true
  })
  document.addEventListener('drop', (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    hint.hidden = true
    if (isOpen()) void droppedFiles(event.dataTransfer).then(take)
  })
}

function onPick(id: string, take: (files: readonly File[]) => void): void {
  const input = find(`#${id}`, HTMLInputElement)
  const takeAll = () => {
    const files = [...(input.files ?? [])]
    // The same file can be picked again, after it was removed.
    input.value = ''
    if (files.length > 0) take(files)
  }
  input.addEventListener('change', takeAll)
  // It looks like a button, and buttons open by Enter, too.
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    input.click()
  })
  // Somebody may have been faster than the script.
  takeAll()
}

/** The files of what was dropped, those of folders in the order of their names. The entries are to be had during the event only. */
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
  return file && (!inFolder || looksLikePicture(file)) ? [file] : []
}

/** A reader gives some entries at a time, and none when it has given all. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve) => reader.readEntries(resolve, () => resolve([])))
    if (some.length === 0) return all
    all.push(...some)
  }
}

function picturesOf(files: readonly File[]): File[] {
  return files.filter(looksLikePicture).toSorted((a, b) => compareNames(a.webkitRelativePath, b.webkitRelativePath))
}
