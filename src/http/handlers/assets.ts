import { ASSETS } from '#generated/assets.ts'
import type { AppContext } from '../context.ts'
import { compression } from '../responses/compression.ts'
import { staticAsset } from '../static-asset.ts'
import { serveNotFound } from './pages.ts'

/** Media types of images that no coding makes smaller. */
const COMPRESSED_TYPES = ['image/png', 'image/x-icon']

const BY_PATH = new Map(Object.values(ASSETS).map((asset) => [asset.path, asset]))

/** `GET /assets/<name>.<hash>.<extension>`: a style sheet, script or icon of the pages. Its address changes with its content. */
export async function serveAsset(c: AppContext): Promise<Response> {
  const asset = BY_PATH.get(c.req.path)
  return asset ? assetResponse(c, asset) : serveNotFound(c)
}

/** Responds with one of ASSETS, compressed unless its format is. */
export async function assetResponse(c: AppContext, { path, type }: { path: string; type: string }): Promise<Response> {
  const bytes = await staticAsset(c, path)
  return c.body(bytes, 200, {
    'Content-Type': type,
    ...(COMPRESSED_TYPES.includes(type) ? {} : compression(c.req.raw)),
  })
}
