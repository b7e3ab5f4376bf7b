import { UnreadableSetting } from './unreadable-setting.ts'

/** A key that may upload: who has it, and the SHA-256 of it in hexadecimal digits. */
export interface UploadKey {
  name: string
  digest: string
}

const ENTRY = /^([A-Za-z][A-Za-z0-9_-]{0,31}):([0-9a-f]{64})$/

/**
 * Parses the setting: entries `name:digest` with commas or white space between them. Returns undefined for an empty one: everybody may
 * upload. Throws an `UnreadableSetting` that does not repeat an entry, which may be a key.
 */
export function parseUploadKeys(setting: string): UploadKey[] | undefined {
  const entries = setting.split(/[\s,]+/).filter((entry) => entry !== '')
  if (entries.length === 0) return undefined
  return entries.map((entry, at) => {
    const [, name, digest] = ENTRY.exec(entry) ?? []
    if (name !== undefined && digest !== undefined) return { name, digest }
    throw new UnreadableSetting(
      `UPLOAD_KEYS must hold entries of a name, a colon and a digest, as npm run tintype -- upload-key NAME prints them: entry ${at + 1} is none`,
    )
  })
}
