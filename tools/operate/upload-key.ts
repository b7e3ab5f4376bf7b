// `npm run tintype -- upload-key NAME`: makes a key that may upload. The setting has its digest alone, so only who has the key knows
// it.
import { createHash, randomBytes } from 'node:crypto'
import { fail } from '../install/installed.mjs'
import { readCommandLine } from '../shared/command-line.ts'

const { positionals } = readCommandLine({
  usage: `Usage: npm run tintype -- upload-key NAME
Makes a key for an uploader, and prints it with its entry for the setting UPLOAD_KEYS. The key is kept nowhere.`,
  options: {},
  allowPositionals: true,
})
const [name = '', ...others] = positionals
if (!/^[A-Za-z][A-Za-z0-9_-]{0,31}$/.test(name) || others.length > 0) {
  fail('name the uploader: a letter, then up to 31 of A-Z a-z 0-9 _ -')
}
// In hex: a command line takes what begins with "-" for an option.
const key = randomBytes(32).toString('hex')
console.log(`key, for the uploader: ${key}`)
console.log(`entry of UPLOAD_KEYS:  ${name}:${createHash('sha256').update(key).digest('hex')}`)
