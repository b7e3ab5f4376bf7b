/** One element of an XML document: its text, or its children. Attributes are dropped: S3 has none but namespaces. */
export interface XmlElement {
  name: string
  text: string
  children: XmlElement[]
}

/** A document that is not what an S3 service sends. */
export class OddXml extends Error {
  override name = 'OddXml'
}

const DECLARATION = /^\uFEFF?\s*(?:<\?xml\s[^<>?]*\?>)?\s*/
/** A start tag, an empty-element tag or an end tag, with the text before it. */
const TAG = /([^<]*)<(\/?)([A-Za-z][\w.-]*)((?:\s+[A-Za-z][\w:.-]*\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y
const MAX_DEPTH = 8

/**
 * Returns the root of an XML document. Reads only what S3 services send: no document type, so no custom entities, no comments, no CDATA. Throws `OddXml`.
 */
export function parseXml(document: string): XmlElement {
  const outside: XmlElement = { name: '', text: '', children: [] }
  const open = [outside]
  let at = DECLARATION.exec(document)?.[0].length ?? 0
  for (TAG.lastIndex = at; at < document.length; at = TAG.lastIndex) {
    const [whole, text = '', slash, name = '', attributes, empty] = TAG.exec(document) ?? []
    if (whole === undefined) break
    const parent = open.at(-1) ?? outside
    if (slash) {
      if (parent.name !== name || attributes || empty)
        throw new OddXml(`an end tag that does not match <${parent.name}>`)
      if (parent.children.length === 0) parent.text = unescapeXml(text)
      else requireBlank(text)
      open.pop()
      continue
    }
    requireBlank(text)
    const element: XmlElement = { name, text: '', children: [] }
    parent.children.push(element)
    if (!empty) open.push(element)
    if (open.length > MAX_DEPTH) throw new OddXml('elements too deep')
  }
  const [root, second] = outside.children
  if (!root || second || open.length > 1 || document.slice(at).trim() !== '') {
    throw new OddXml('no XML document of one element')
  }
  return root
}

/** Returns the text of the only child of this name. Throws `OddXml` where there is none, or several. */
export function requireText(element: XmlElement, name: string): string {
  const [child, second] = element.children.filter((one) => one.name === name)
  if (!child || second || child.children.length > 0) throw new OddXml(`<${element.name}> without one <${name}>`)
  return child.text
}

/** Returns a text as content of an element. */
export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function unescapeXml(text: string): string {
  return text.replace(/&([^&;]*);?/g, (reference, name: string) => {
    const [, hexadecimal, decimal] = /^#(?:x([0-9a-f]{1,6})|([0-9]{1,7}))$/i.exec(name) ?? []
    const code = hexadecimal ? Number.parseInt(hexadecimal, 16) : Number(decimal)
    const character = code <= 0x10ffff ? String.fromCodePoint(code) : ENTITIES[name]
    if (character === undefined || !reference.endsWith(';')) throw new OddXml('an unknown entity')
    return character
  })
}

function requireBlank(text: string): void {
  if (text.trim() !== '') throw new OddXml('text beside elements')
}
