import { ASSETS } from '#generated/assets.ts'
import { assetContent } from '../pages/asset-content.ts'
import type { AppContext } from './context.ts'
import { serveNotFound } from './pages.ts'
import { compression } from './wire/compression.ts'

const BY_PATH = new Map(Object.values(ASSETS).map((asset) => [asset.path, asset]))

/** `GET /assets/<name>.<hash>.<extension>`: a style sheet, script or icon of the pages. Its address changes with its content. */
export function serveAsset(c: AppContext): Response {
  const asset = BY_PATH.get(c.req.path)
  if (!asset) return serveNotFound(c)
  const content = assetContent(asset)
  const headers = { 'Content-Type': asset.type }
  if (asset.base64) return c.body(Uint8Array.from(atob(content), byteOf), 200, headers)
  return c.body(content, 200, { ...headers, ...compression(c.req.raw) })
}

function byteOf(character: string): number {
  return character.charCodeAt(0)
}
