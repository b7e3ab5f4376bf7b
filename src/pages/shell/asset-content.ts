import { PACKED_CONTENTS } from '#generated/assets.ts'
import { once, unpack } from '../../packed.ts'

const contents = once((): Record<string, string> => JSON.parse(unpack(PACKED_CONTENTS)))

/** The text of one of ASSETS, of an image in Base64. All are unpacked when the first one is asked for. */
export function assetContent({ path }: { path: string }): string {
  const content = contents()[path]
  if (content === undefined) throw new Error(`there is no asset at ${path}`)
  return content
}

/** The bytes of an image among ASSETS. */
export function assetBytes(asset: { path: string }): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(assetContent(asset)), (character) => character.charCodeAt(0))
}
