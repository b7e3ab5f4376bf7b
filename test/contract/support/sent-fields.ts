/**
 * The fields of a body that a test sent, by a reader of the tests' own: texts as they are, a file as the length of its
 * bytes in stars, which is all a schema can judge. A field that is there twice counts once.
 */
export function readSentFields(type: string, contentType: string, body: Buffer): Record<string, unknown> {
  if (type === 'application/json') return JSON.parse(body.toString())
  if (type === 'application/x-www-form-urlencoded') return Object.fromEntries(new URLSearchParams(body.toString()))
  const boundary = /boundary="?([^";]+)/i.exec(contentType)?.[1] ?? ''
  // One character a byte: bytes of a picture are no text.
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
