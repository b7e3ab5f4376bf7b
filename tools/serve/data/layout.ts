// Where a data folder keeps the files of images: files/<key>, as `files/images/<dir>/<id>_<name>`. Beside each lies a symbolic link
// whose text is the digest of the file and the time it was stored. It points nowhere: a link of this length lies in its inode, and is
// on the disk after the same fsync of the folder as the file.
import path from 'node:path'

/** The folder of all files, in a data folder. */
export const FILES = 'files'
/** The folder of what is being stored, in that of all files. */
export const INCOMING = 'incoming'
/** Folders that are there from the first start on: keys begin with them. */
export const KINDS = ['images', 'thumbs', 'previews']

const KEY = /^([a-z]{1,32})\/([0-9]{1,16})\/([0-9]{1,16}_[A-Za-z0-9._-]{1,200})$/
const FACTS = /^([0-9a-f]{32})-([0-9]{1,15})$/
const HANDED = /^[0-9a-f-]{36}$/

/** The digest of a file in hex, and when it was stored */
export interface Facts {
  md5: string
  storedMs: number
}

/**
 * Returns the path of a file in the folder of all files; undefined where no image has such a key. A key leads to no path outside the
 * folder, and to none of the folder's own.
 */
export function pathOf(folder: string, key: string) {
  const [, kind, directory, name] = KEY.exec(key) ?? []
  if (kind === undefined || directory === undefined || name === undefined || kind === INCOMING) return undefined
  return path.join(folder, kind, directory, name)
}

/** Returns the place of a file that is being stored, by the name that was made up for it; undefined for a name of another form. */
export function incomingPath(folder: string, name: string) {
  return HANDED.test(name) ? path.join(folder, INCOMING, name) : undefined
}

/** Returns the place of the facts about a file. */
export function factsPath(filePath: string) {
  return path.join(path.dirname(filePath), `.${path.basename(filePath)}`)
}

/** Whether the name of a file is that of its image: names with a leading dot are facts, or of other programs. */
export function isImageName(name: string) {
  return !name.startsWith('.')
}

export function formatFacts({ md5, storedMs }: Facts) {
  return `${md5}-${storedMs}`
}

export function parseFacts(text: string): Facts | undefined {
  const [, md5, storedMs] = FACTS.exec(text) ?? []
  return md5 === undefined ? undefined : { md5, storedMs: Number(storedMs) }
}
