/** One part of a multipart body, its head given byte by byte: header lines without the final empty line. */
export interface Part {
  head: string | Uint8Array
  content: string | Uint8Array
}

/** A body and the Content-Type that announces it. */
export interface Body {
  contentType: string
  bytes: Buffer
}

const BOUNDARY = 'tintype-contract-9f2c'

/** A text field as browsers send it. */
export function textPart(name: string, value: string | Uint8Array): Part {
  return { head: `Content-Disposition: form-data; name="${name}"`, content: value }
}

/** A file field as most programs send it: every type is octet-stream. */
export function filePart(name: string, filename: string, content: string | Uint8Array): Part {
  const disposition = `Content-Disposition: form-data; name="${name}"; filename="${filename}"`
  return { head: `${disposition}\r\nContent-Type: application/octet-stream`, content }
}

/** The parts framed as RFC 7578 has it. */
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

/** A form in the order in which its fields are sent. */
export type Fields = Readonly<Record<string, string | FormFile>>

/** A picture as a form's file. */
export function file(filename: string, bytes: Uint8Array): FormFile {
  return { filename, bytes }
}

/** Fields as the parts of a multipart body. */
export function parts(fields: Fields): Part[] {
  return Object.entries(fields).map(([name, value]) =>
    typeof value === 'string' ? textPart(name, value) : filePart(name, value.filename, value.bytes),
  )
}
