import type { Size } from '../../codec/src/format.ts'
import type { Picture } from '../../codec/src/picture.ts'
import { runOnCore } from '../../codec/src/pixels/core.ts'
import { decodeInto, decodeWhole } from '../../codec/src/pixels/decode.ts'
import { type Raster, takeRaster } from '../../codec/src/pixels/raster.ts'

/** The first frame's pixels, upright and at an upright size no larger than its own. */
export async function decodeTo(picture: Picture, size: Size): Promise<Raster> {
  const whole = await decodeWhole(picture)
  return runOnCore(async (core) => {
    core.toPicture(size.width, size.height, picture.facts.orientation)
    await decodeInto(core, picture, whole, size)
    return takeRaster(core, size)
  })
}
