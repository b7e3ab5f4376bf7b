import { ASSETS } from '#generated/assets.ts'
import { assetBytes, assetContent } from '../../pages/shell/asset-content.ts'
import type { AppContext } from '../context.ts'
import { compression } from '../responses/compression.ts'
import { serveNotFound } from './pages.ts'

const BY_PATH = new Map(Object.values(ASSETS).map((asset) => [asset.path, asset]))

/** `GET /assets/<name>.<hash>.<extension>`: a style sheet, script or icon of the pages. Its address changes with its content. */
export function serveAsset(c: AppContext): Response {
  const asset = BY_PATH.get(c.req.path)
  if (!asset) return serveNotFound(c)
  const headers = { 'Content-Type': asset.type }
  if (asset.base64) return c.body(assetBytes(asset), 200, headers)
  return c.body(assetContent(asset), 200, { ...headers, ...compression(c.req.raw) })
}
