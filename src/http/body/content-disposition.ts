import { malformed } from './malformed.ts'

/** The Content-Disposition of a part: the name of its field, and whether it is a file. */
export interface Disposition {
  name: string
  /** `named`: the file name is not empty, even if it cannot be decoded. */
  file: { named: boolean; filename: string } | undefined
}

/**
 * Parses the Content-Disposition of a part (RFC 7578, 4.2), in the variants that programs write (D11). Throws
 * `malformed_request`.
 */
export function parseDisposition(text: string): Disposition {
  const { value, parameters } = parseHeaderValue(text)
  const name = parameters?.get('name')
  if (value !== 'form-data' || parameters === undefined || name === undefined) {
    throw malformed('each part must have a header like: Content-Disposition: form-data; name="field"')
  }
  const plain = parameters.get('filename')
  const extended = parameters.get('filename*')
  if (plain === undefined && extended === undefined) return { name: unescapeName(name), file: undefined }
  const named = [plain, extended?.replace(/^[^']*'[^']*'/, '')].some((sent) => sent !== undefined && sent !== '')
  const filename = decodeExtended(extended ?? '') || unescapeName(plain ?? '')
  return { name: unescapeName(name), file: { named, filename } }
}

/** Browsers percent-encode only these three characters; a percent sign is literal. */
function unescapeName(name: string): string {
  return name.replace(/%(22|0D|0A)/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

/** The text of an extended parameter, `UTF-8'language'percent-encoded` (RFC 8187); `undefined` if it cannot be decoded. */
function decodeExtended(value: string): string | undefined {
  const encoded = /^utf-8'[^']*'(.*)$/is.exec(value)?.[1]
  try {
    return encoded && decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}

const PARAMETER = /;[ \t]*(?:([^\s=;"]+)[ \t]*(?:=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^";][^;]*)?))?)?[ \t]*/gsy

/**
 * A header's value and its parameters by name, both in lower case. The parameters are `undefined` if they cannot be parsed or
 * one is repeated. An unquoted value may contain anything but a semicolon. In a quoted one, a backslash escapes only itself
 * and the quote: anywhere else it is part of a path.
 */
export function parseHeaderValue(text: string): { value: string; parameters: Map<string, string> | undefined } {
  const [value = ''] = text.split(';', 1)
  const parameters = new Map<string, string>()
  let read = value.length
  for (const [whole, name, quoted, bare = ''] of text.slice(value.length).matchAll(PARAMETER)) {
    read += whole.length
    if (name === undefined) continue
    const key = name.toLowerCase()
    if (parameters.has(key)) return { value: '', parameters: undefined }
    parameters.set(key, quoted?.replace(/\\(["\\])/g, '$1') ?? bare.trimEnd())
  }
  return { value: value.trim().toLowerCase(), parameters: read === text.length ? parameters : undefined }
}
