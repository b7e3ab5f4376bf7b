import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Returns the path of a new file with these keys, which only its owner can read. */
export function keysFile({ accessKeyId, secretAccessKey }: { accessKeyId: string; secretAccessKey: string }): string {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 's3-keys-')), 'keys')
  writeFileSync(file, `AWS_ACCESS_KEY_ID=${accessKeyId}\nAWS_SECRET_ACCESS_KEY=${secretAccessKey}\n`, { mode: 0o600 })
  return file
}
