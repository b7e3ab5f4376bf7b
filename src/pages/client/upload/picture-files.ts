const PICTURE_TYPE = /^image\/(?:jpeg|png|gif|webp|avif)$/
const PICTURE_NAME = /\.(?:jpe?g|jfif|png|gif|webp|avif)$/i

/** Whether a file of a folder is a picture, by its name and type: folders may contain other files. */
export function looksLikePicture({ name, type }: { name: string; type: string }): boolean {
  return PICTURE_TYPE.test(type) || PICTURE_NAME.test(name)
}

/** Orders names as people do: IMG_9 before IMG_10. */
export const compareNames = new Intl.Collator(undefined, { numeric: true }).compare

/** A key that is the same if the same file is chosen twice. */
export function identityOf(file: { name: string; size: number; lastModified: number }): string {
  return `${file.size} ${file.lastModified} ${file.name}`
}
