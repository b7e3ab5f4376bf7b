import type { Size } from '../../src/image/format.ts'
import type { Picture } from '../../src/image/picture.ts'
import { runOnCore } from '../../src/image/pixels/core.ts'
import { decodeInto, decodeWhole } from '../../src/image/pixels/decode.ts'
import { type Raster, takeRaster } from '../../src/image/pixels/raster.ts'

/** The first frame's pixels, upright and at an upright size no larger than its own. */
export async function decodeTo(picture: Picture, size: Size): Promise<Raster> {
  const whole = await decodeWhole(picture)
  return runOnCore(async (core) => {
    core.toPicture(size.width, size.height, picture.facts.orientation)
    await decodeInto(core, picture, whole, size)
    return takeRaster(core, size)
  })
}
