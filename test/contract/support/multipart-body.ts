/** One part of a multipart body, with its header lines as bytes, without the final empty line. */
export interface Part {
  head: string | Uint8Array
  content: string | Uint8Array
}

/** A body and its Content-Type. */
export interface Body {
  contentType: string
  bytes: Buffer
}

const BOUNDARY = 'tintype-contract-9f2c'

/** Returns a text field as browsers send it. */
export function textPart(name: string, value: string | Uint8Array): Part {
  return { head: `Content-Disposition: form-data; name="${name}"`, content: value }
}

/** Returns a file field as most programs send it: every type is octet-stream. */
export function filePart(name: string, filename: string, content: string | Uint8Array): Part {
  const disposition = `Content-Disposition: form-data; name="${name}"; filename="${filename}"`
  return { head: `${disposition}\r\nContent-Type: application/octet-stream`, content }
}

/** Frames the parts by RFC 7578. */
export function multipartBody(parts: readonly Part[], boundary = BOUNDARY): Body {
  const chunks = parts.flatMap(({ head, content }) => [
    Buffer.from(`--${boundary}\r\n`),
    Buffer.from(head),
    Buffer.from('\r\n\r\n'),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ])
  const bytes = Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)])
  return { contentType: `multipart/form-data; boundary=${boundary}`, bytes }
}

/** A file of a form. */
export interface FormFile {
  filename: string
  bytes: Uint8Array
}

/** Form fields in the order in which they are sent. */
export type Fields = Readonly<Record<string, string | FormFile>>

/** Returns an image as the file of a form. */
export function file(filename: string, bytes: Uint8Array): FormFile {
  return { filename, bytes }
}

/** Returns fields as the parts of a multipart body. */
export function parts(fields: Fields): Part[] {
  return Object.entries(fields).map(([name, value]) =>
    typeof value === 'string' ? textPart(name, value) : filePart(name, value.filename, value.bytes),
  )
}
