import { bytesBE, concat, textBytes } from '../bytes.ts'

/** A box of ISO/IEC 14496-12: size, type, content. */
export function box(type: string, ...content: Uint8Array[]): Uint8Array {
  const body = concat(content)
  return concat([bytesBE(8 + body.length, 4), textBytes(type), body])
}

/** The version and flags of a full box. */
export function versionAndFlags(version: number, flags: number): Uint8Array {
  return concat([bytesBE(version, 1), bytesBE(flags, 3)])
}
