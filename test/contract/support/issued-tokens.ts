import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Where a token stands that must not be there: how it is written, and its offset in bytes. Never the token itself. */
export interface Finding {
  how: 'in clear' | 'percent-encoded' | 'as its 32 bytes'
  at: number
}

/** Both kinds have 43 characters: management tokens of base64url, upload tokens alphanumerics. */
const ISSUED = [/\/manage\/([A-Za-z0-9_-]{43})(?![A-Za-z0-9_-])/g, /"gallery_upload_hash":"([A-Za-z0-9]{43})"/g]
/** What may hold a token of which some characters are percent-encoded. */
const RUNS = /[A-Za-z0-9_%-]{45,}/g
const PERCENT_SIGN = 0x25
const SLOT_BITS = 18

/** The file that all processes of a run of the tests note tokens in. */
const noted = () => process.env.TINTYPE_ISSUED_TOKENS
const known = new Set<string>()

/** Notes the tokens that the service issues in a text: an answer, or what a program printed of one. */
export function noteTokens(text: string): void {
  const tokens = ISSUED.flatMap((pattern) => [...text.matchAll(pattern)].map(([, token = '']) => token))
  const fresh = [...new Set(tokens)].filter((token) => !known.has(token))
  for (const token of fresh) known.add(token)
  const file = noted()
  if (file !== undefined && fresh.length > 0) appendFileSync(file, `${fresh.join('\n')}\n`)
}

/** Throws if a header of an answer holds a token that this process has seen being issued. */
export function refuseTokensIn(headers: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (holdsIssuedToken(percentDecoded(String(value)))) {
      throw new Error(`the header ${name} of an answer holds a token that the service issued`)
    }
  }
}

/** Whether a token that this process has seen being issued stands in a text. */
export function holdsIssuedToken(text: string): boolean {
  for (const [run] of text.matchAll(/[A-Za-z0-9_-]{43,}/g)) {
    for (let at = 0; at + 43 <= run.length; at++) if (known.has(run.slice(at, at + 43))) return true
  }
  return false
}

/** Throws with one sentence if a token that was issued in this run of the tests stands in a file below one of these folders, or in a text. */
export function refuseTokens(where: { folders?: readonly string[]; texts?: Readonly<Record<string, string>> }): void {
  const find = finderOf(issuedTokens())
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

/** What finds one of these tokens in bytes, in one pass, however many they are. */
export function finderOf(tokens: ReadonlySet<string>): (bytes: Uint8Array) => Finding | undefined {
  const byPrefix = new Map<number, { how: Finding['how']; wanted: Buffer }[]>()
  const isPrefix = new Uint8Array(2 ** SLOT_BITS)
  const forms = [...tokens].flatMap((token) => [
    { how: 'in clear' as const, wanted: Buffer.from(token) },
    { how: 'as its 32 bytes' as const, wanted: Buffer.from(token, 'base64url') },
  ])
  for (const form of forms) {
    const prefix = form.wanted.readInt32BE()
    byPrefix.set(prefix, [...(byPrefix.get(prefix) ?? []), form])
    isPrefix[slotOf(prefix)] = 1
  }

  function findForm(bytes: Uint8Array): Finding | undefined {
    let last4 = 0
    for (let i = 0; i < bytes.length; i++) {
      last4 = (last4 << 8) | (bytes[i] ?? 0)
      if (isPrefix[slotOf(last4)] === 0) continue
      const at = i - 3
      const form = byPrefix.get(last4)?.find(({ wanted }) => wanted.equals(bytes.subarray(at, at + wanted.length)))
      if (form) return { how: form.how, at }
    }
    return undefined
  }

  return (bytes) => {
    const found = findForm(bytes)
    if (found || !bytes.includes(PERCENT_SIGN)) return found
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
    for (const { 0: run, index: at } of text.matchAll(RUNS)) {
      if (run.includes('%') && findForm(Buffer.from(percentDecoded(run), 'latin1')))
        return { how: 'percent-encoded', at }
    }
    return undefined
  }
}

/** Spreads the first four bytes of tokens, which are alike in text, over the table of them. */
function slotOf(prefix: number): number {
  return Math.imul(prefix, 0x9e3779b1) >>> (32 - SLOT_BITS)
}

function percentDecoded(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

function issuedTokens(): Set<string> {
  const file = noted()
  return new Set(file !== undefined && existsSync(file) ? readFileSync(file, 'latin1').trim().split('\n') : [])
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
    // A service that runs deletes files.
    return new Uint8Array()
  }
}
