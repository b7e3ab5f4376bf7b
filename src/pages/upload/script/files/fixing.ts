/** Upper bounds of an uploaded image. */
export interface Bounds {
  bytes: number
  pixels: number
}

/** A larger image is scaled by this factor until it fits. */
const STEP = 0.8
const QUALITY = 0.9
/** Photographs stay sharp on any screen. */
const LONGEST_SIDE_PX = 4096

/**
 * Converts a file to an upright JPEG within these bounds, without metadata; to WebP or PNG if it may be transparent.
 * Returns undefined if the browser cannot decode it.
 */
export async function fix(file: File, { bytes, pixels }: Bounds): Promise<File | undefined> {
  try {
    const whole = await createImageBitmap(file)
    const { width, height } = whole
    let scale = Math.min(1, Math.sqrt(pixels / (width * height)))
    if (file.size > bytes || scale < 1) scale = Math.min(scale, LONGEST_SIDE_PX / Math.max(width, height))
    const type = /^image\/(?:png|webp|avif)$/.test(file.type) ? 'image/webp' : 'image/jpeg'
    for (; scale > 0.01; scale *= STEP) {
      const blob = await draw(whole, scale, type)
      if (!blob) return undefined
      if (blob.size <= bytes) {
        whole.close()
        const extension = blob.type.replace('image/', '').replace('jpeg', 'jpg')
        const name = `${file.name.replace(/\.[^.]*$/, '')}.${extension}`
        return new File([blob], name, { type: blob.type, lastModified: file.lastModified })
      }
    }
    return undefined
  } catch {
    return undefined
  }
}

async function draw(bitmap: ImageBitmap, scale: number, type: string): Promise<Blob | undefined> {
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(bitmap.width * scale))
  canvas.height = Math.max(1, Math.round(bitmap.height * scale))
  const context = canvas.getContext('2d')
  if (!context) return undefined
  context.imageSmoothingQuality = 'high'
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? undefined), type, QUALITY))
}
