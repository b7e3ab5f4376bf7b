import sharp, { type Sharp } from 'sharp'

/** Pixels without gaps, RGBA. */
export interface Pixels {
  width: number
  height: number
  rgba: Buffer
}

/** The decoded file, RGBA; as coded. */
export async function pixelsOf(file: Uint8Array): Promise<Pixels> {
  return rgbaOf(sharp(file, { failOn: 'none', ignoreIcc: true, limitInputPixels: false }))
}

async function rgbaOf(image: Sharp): Promise<Pixels> {
  const { data, info } = await image.toColourspace('srgb').ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, rgba: data }
}

/**
 * Both images as a cover, before it is encoded: decoded whole and turned by sharp, scaled by Lanczos3 and put side by
 * side.
 */
export async function goldenCover(left: Uint8Array, right: Uint8Array): Promise<Pixels> {
  const upright = await Promise.all([left, right].map(turned))
  const height = Math.min(...upright.map((image) => image.height))
  const scaled = await Promise.all(upright.map((image) => scaledTo(image, height)))
  const width = scaled.reduce((total, image) => total + image.width, 0)
  const rgba = Buffer.alloc(width * height * 4)
  let x = 0
  for (const image of scaled) {
    for (let y = 0; y < height; y++) {
      image.rgba.copy(rgba, (y * width + x) * 4, y * image.width * 4, (y + 1) * image.width * 4)
    }
    x += image.width
  }
  return { width, height, rgba }
}

/** The cover as sharp writes it. */
export function encode({ rgba, width, height }: Pixels, format: 'jpeg' | 'png'): Promise<Buffer> {
  const pixels = sharp(rgba, { raw: { width, height, channels: 4 } })
  return format === 'jpeg' ? pixels.removeAlpha().jpeg({ quality: 90 }).toBuffer() : pixels.png().toBuffer()
}

async function turned(file: Uint8Array): Promise<Pixels> {
  return rgbaOf(sharp(file, { failOn: 'none', ignoreIcc: true }).autoOrient())
}

async function scaledTo({ width, height, rgba }: Pixels, wanted: number): Promise<Pixels> {
  if (height === wanted) return { width, height, rgba }
  const target = Math.max(1, Math.round((width * wanted) / height))
  const small = await sharp(rgba, { raw: { width, height, channels: 4 } })
    .resize(target, wanted, { fit: 'fill', kernel: 'lanczos3' })
    .raw()
    .toBuffer()
  return { width: target, height: wanted, rgba: small }
}
