import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** A token that was found where it must not be: its encoding, and its offset in bytes. The token itself is left out. */
export interface Finding {
  how: 'in clear' | 'percent-encoded' | 'as its 32 bytes'
  at: number
}

/** Both kinds have 43 characters. Management tokens are base64url, upload tokens alphanumeric. */
const ISSUED = [/\/manage\/([A-Za-z0-9_-]{43})(?![A-Za-z0-9_-])/g, /"gallery_upload_hash":"([A-Za-z0-9]{43})"/g]
/** The characters of a run that may hold a percent-encoded token. RUN_MIN is its minimum length. */
const IS_IN_RUN = Uint8Array.from({ length: 256 }, (_, code) =>
  Number(/[A-Za-z0-9_%-]/.test(String.fromCharCode(code))),
)
const RUN_MIN = 45
/**
 * The search reads four bytes at every multiple of this offset, and compares them with those at each of a token's first
 * offsets. One of these must match.
 */
const STRIDE = 16
const SLOT_BITS = 20

/** The file in which all processes of a test run record tokens. */
const noted = () => process.env.TINTYPE_ISSUED_TOKENS
const known = new Set<string>()

/** Records the tokens that the service issues in a text, such as a response or the output of a program. */
export function noteTokens(text: string): void {
  const tokens = ISSUED.flatMap((pattern) => [...text.matchAll(pattern)].map(([, token = '']) => token))
  const fresh = [...new Set(tokens)].filter((token) => !known.has(token))
  for (const token of fresh) known.add(token)
  const file = noted()
  if (file !== undefined && fresh.length > 0) appendFileSync(file, `${fresh.join('\n')}\n`)
}

/** Throws if a header of a response contains a token whose issue this process has seen. */
export function refuseTokensIn(headers: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (holdsIssuedToken(percentDecoded(String(value)))) {
      throw new Error(`the header ${name} of an answer holds a token that the service issued`)
    }
  }
}

/** Returns whether a text contains a token whose issue this process has seen. */
export function holdsIssuedToken(text: string): boolean {
  for (const [run] of text.matchAll(/[A-Za-z0-9_-]{43,}/g)) {
    for (let at = 0; at + 43 <= run.length; at++) if (known.has(run.slice(at, at + 43))) return true
  }
  return false
}

/** Throws if a file below one of these folders, or a text, contains a token that was issued in this test run. */
export function refuseTokens(where: { folders?: readonly string[]; texts?: Readonly<Record<string, string>> }): void {
  const find = issuedFinder()
  const complain = (what: string, { how, at }: Finding) => {
    throw new Error(`a token that the service issued stands ${how} at byte ${at} of ${what}`)
  }
  for (const [what, text] of Object.entries(where.texts ?? {})) {
    const found = find(Buffer.from(text))
    if (found) complain(what, found)
  }
  for (const folder of where.folders ?? []) {
    for (const file of filesBelow(folder)) {
      const found = find(read(file))
      if (found) complain(relative(folder, file), found)
    }
  }
}

/** Returns a function that finds one of these tokens in bytes, in one pass, however many tokens there are. */
export function finderOf(tokens: Iterable<string>): (bytes: Uint8Array) => Finding | undefined {
  const finder = new Finder()
  for (const token of tokens) finder.add(token)
  return (bytes) => finder.find(bytes)
}

interface Form {
  how: Finding['how']
  wanted: Buffer
}

class Finder {
  /** By four bytes of a token: each of its encodings, and their offset. */
  #bySample = new Map<number, { form: Form; offset: number }[]>()
  #isSample = new Uint8Array(2 ** SLOT_BITS)

  add(token: string): void {
    const forms: Form[] = [
      { how: 'in clear', wanted: Buffer.from(token) },
      { how: 'as its 32 bytes', wanted: Buffer.from(token, 'base64url') },
    ]
    for (const form of forms) {
      for (let offset = 0; offset < STRIDE; offset++) {
        const sample = form.wanted.readInt32LE(offset)
        const alike = this.#bySample.get(sample)
        if (alike) alike.push({ form, offset })
        else this.#bySample.set(sample, [{ form, offset }])
        this.#isSample[slotOf(sample)] = 1
      }
    }
  }

  find(bytes: Uint8Array): Finding | undefined {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    return this.#findForm(buffer) ?? this.#findEncoded(buffer)
  }

  #findForm(bytes: Buffer): Finding | undefined {
    const isSample = this.#isSample
    for (let i = 0; i + 4 <= bytes.length; i += STRIDE) {
      const sample = bytes.readInt32LE(i)
      if (isSample[slotOf(sample)] === 0) continue
      for (const { form, offset } of this.#bySample.get(sample) ?? []) {
        const at = i - offset
        if (at >= 0 && form.wanted.equals(bytes.subarray(at, at + form.wanted.length))) return { how: form.how, at }
      }
    }
    return undefined
  }

  #findEncoded(bytes: Buffer): Finding | undefined {
    for (let at = 0; at < bytes.length; at += STRIDE) {
      // A run that is long enough contains two such offsets.
      if (!isInRun(bytes, at) || !isInRun(bytes, at + STRIDE)) continue
      let start = at
      let end = at + 1
      while (isInRun(bytes, start - 1)) start--
      while (isInRun(bytes, end)) end++
      at = end
      const run = end - start < RUN_MIN ? '' : bytes.toString('latin1', start, end)
      if (run.includes('%') && this.#findForm(Buffer.from(percentDecoded(run), 'latin1')))
        return { how: 'percent-encoded', at: start }
    }
    return undefined
  }
}

function isInRun(bytes: Uint8Array, at: number): boolean {
  return IS_IN_RUN[bytes[at] ?? 0] === 1
}

/** Spreads samples, which are similar in text, over the table. */
function slotOf(sample: number): number {
  return Math.imul(sample, 0x9e3779b1) >>> (32 - SLOT_BITS)
}

function percentDecoded(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

/** The finder of all tokens issued so far, and the part of their file that was read. */
const issued = new Finder()
let readTo = 0

function issuedFinder(): (bytes: Uint8Array) => Finding | undefined {
  const file = noted()
  const text = file !== undefined && existsSync(file) ? readFileSync(file, 'latin1') : ''
  const end = text.lastIndexOf('\n') + 1
  for (const token of text.slice(readTo, end).split('\n')) if (token !== '') issued.add(token)
  readTo = end
  return (bytes) => issued.find(bytes)
}

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
}

function read(file: string): Uint8Array {
  try {
    return readFileSync(file)
  } catch {
    // Running services delete files.
    return new Uint8Array()
  }
}
