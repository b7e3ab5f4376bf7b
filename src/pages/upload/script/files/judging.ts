import { hasText } from 'tintype-codec/bytes'
import {
  findLocation,
  ImageRefusal,
  probe,
  type Size,
  stripMetadata,
  trimImageData,
  uprightSize,
} from 'tintype-codec/interface'
import { UPLOAD_MAX_BYTES } from '../../../../limits.ts'
import type { Unfitness } from '../../upload-words.ts'

/** The verdict on a file by its bytes. */
export type Verdict =
  /** `size` is that of the upright image. Metadata that could not be read may have a location. */
  { isFit: true; size: Size; mayHaveLocation: boolean } | { isFit: false; why: Unfitness; isCurable: boolean }

/** Twice this fits into a browser's memory. */
const READ_MAX_BYTES = 64 * 2 ** 20

/** Judges a file as the service will, by the same code: its bytes decide, not its name or type. */
export async function judge(file: File): Promise<Verdict> {
  const bytes = await read(file)
  try {
    const facts = probe(bytes)
    if (!facts) return judgeForeign(file, bytes)
    if (file.size > UPLOAD_MAX_BYTES) return tooBig(!facts.animated)
    return { isFit: true, size: uprightSize(facts), mayHaveLocation: await mayHaveLocation(bytes, facts.format) }
  } catch (error) {
    if (!(error instanceof ImageRefusal)) throw error
    // A larger file was not read whole.
    if (error.reason === 'over_budget' || file.size > READ_MAX_BYTES) return tooBig(!hasText(bytes, 0, 'GIF'))
    return { isFit: false, why: 'damaged', isCurable: false }
  }
}

function tooBig(isCurable: boolean): Verdict {
  return { isFit: false, why: 'tooBig', isCurable }
}

async function mayHaveLocation(bytes: Uint8Array, format: Parameters<typeof findLocation>[1]): Promise<boolean> {
  const presence = await findLocation(bytes, format).catch(() => 'unknown')
  return presence !== 'absent'
}

async function judgeForeign(file: File, bytes: Uint8Array): Promise<Verdict> {
  if (!isForeignImage(bytes)) return { isFit: false, why: 'unsupportedFormat', isCurable: false }
  const isReadable = await createImageBitmap(file).then(
    (bitmap) => {
      bitmap.close()
      return true
    },
    () => false,
  )
  return { isFit: false, why: isReadable ? 'convertible' : 'unreadable', isCurable: isReadable }
}

/** HEIC (ISO/IEC 23008-12, annex B), BMP and TIFF. */
function isForeignImage(bytes: Uint8Array): boolean {
  if (['II*\0', 'MM\0*', 'BM'].some((signature) => hasText(bytes, 0, signature))) return true
  return hasText(bytes, 4, 'ftyp') && ['heic', 'heix', 'heif', 'hevc', 'mif1', 'msf1'].some((b) => hasText(bytes, 8, b))
}

/**
 * The file without its location and camera data, not encoded again: the same as what the service makes of it for
 * `optimize_for_web` where nothing can be made smaller (D33). Undefined if that cannot be done; a GIF has none of them.
 */
export async function strip(file: File): Promise<File | undefined> {
  const bytes = await read(file)
  try {
    const facts = probe(bytes)
    if (!facts) return undefined
    const stripped = facts.format === 'gif' ? bytes : trimImageData(stripMetadata(bytes, facts), facts)
    if (stripped === bytes) return file
    return new File([stripped.slice()], file.name, { type: file.type, lastModified: file.lastModified })
  } catch (error) {
    if (error instanceof ImageRefusal) return undefined
    throw error
  }
}

async function read(file: File): Promise<Uint8Array> {
  return new Uint8Array(await file.slice(0, READ_MAX_BYTES).arrayBuffer())
}
