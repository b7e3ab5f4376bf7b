import { parseAddress } from '../../../shell/script/addresses.ts'

const IMAGE_TYPE = /^image\/(?:jpeg|png|gif|webp|avif)$/
const IMAGE_NAME = /\.(?:jpe?g|jfif|png|gif|webp|avif)$/i

/** Whether a file of a folder is an image, by its name and type: folders may contain other files. */
export function isImageFile({ name, type }: { name: string; type: string }): boolean {
  return IMAGE_TYPE.test(type) || IMAGE_NAME.test(name)
}

/** Orders names as people do: IMG_9 before IMG_10. */
export const compareNames = new Intl.Collator(undefined, { numeric: true }).compare

/** A key that is the same if the same file is chosen twice. */
export function identityOf(file: { name: string; size: number; lastModified: number }): string {
  return `${file.size} ${file.lastModified} ${file.name}`
}

/** The name that browsers give to every pasted image. */
const PASTED_NAME = /^image\.(\w+)$/

/** Renames a pasted file by its time: `pasted-2026-11-22-15-04-05.png`. One with a name of its own keeps it. */
export function namePasted(file: File, now: Date): File {
  const extension = PASTED_NAME.exec(file.name)?.[1]
  if (extension === undefined) return file
  const parts = [
    now.getFullYear(),
    now.getMonth() + 1,
    now.getDate(),
    now.getHours(),
    now.getMinutes(),
    now.getSeconds(),
  ]
  const when = parts.map((part) => String(part).padStart(2, '0')).join('-')
  return new File([file], `pasted-${when}.${extension}`, { type: file.type, lastModified: file.lastModified })
}

/** The address in a pasted text; undefined if the text is no address. */
export function addressIn(text: string): URL | undefined {
  const trimmed = text.trim()
  return /^https?:\/\/\S+$/.test(trimmed) ? parseAddress(trimmed) : undefined
}
