/**
 * Reads the fields of a body that a test sent, independently of the service's parser. Texts are unchanged. Files are
 * stars, as many as they have bytes, because a schema can judge only their length. A repeated field counts once.
 */
export function readSentFields(type: string, contentType: string, body: Buffer): Record<string, unknown> {
  if (type === 'application/json') return JSON.parse(body.toString())
  if (type === 'application/x-www-form-urlencoded') return Object.fromEntries(new URLSearchParams(body.toString()))
  const boundary = /boundary="?([^";]+)/i.exec(contentType)?.[1] ?? ''
  // One character for each byte, because the bytes of an image are no text.
  const parts = body.toString('latin1').split(`--${boundary}`).slice(1, -1)
  return Object.fromEntries(parts.map(readPart))
}

function readPart(part: string): [name: string, value: string] {
  const headEnd = part.indexOf('\r\n\r\n')
  const head = part.slice(0, headEnd)
  const content = part.slice(headEnd + 4, -2)
  const name = /[;\s]name="?([^";\r\n]+)/i.exec(head)?.[1] ?? ''
  return [
    name,
    /[;\s]filename\*?=/i.test(head) ? '*'.repeat(content.length) : Buffer.from(content, 'latin1').toString(),
  ]
}
