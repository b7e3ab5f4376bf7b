import { randomUUID } from 'node:crypto'

/** A file of a form. */
export interface FormFile {
  field: string
  filename: string
  mediaType: string
  bytes: Uint8Array
}

/** A form as multipart/form-data (RFC 7578), whole; names of files as browsers write them (HTML, "multipart form data"). */
export function multipartForm(
  texts: Readonly<Record<string, string>>,
  files: readonly FormFile[],
): { contentType: string; body: Uint8Array } {
  const boundary = `tintype-${randomUUID()}`
  const chunks: Uint8Array[] = Object.entries(texts).map(([name, value]) =>
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`),
  )
  for (const { field, filename, mediaType, bytes } of files) {
    const disposition = `Content-Disposition: form-data; name="${field}"; filename="${escapeName(filename)}"`
    chunks.push(Buffer.from(`--${boundary}\r\n${disposition}\r\nContent-Type: ${mediaType}\r\n\r\n`))
    chunks.push(bytes, Buffer.from('\r\n'))
  }
  chunks.push(Buffer.from(`--${boundary}--\r\n`))
  return { contentType: `multipart/form-data; boundary=${boundary}`, body: Buffer.concat(chunks) }
}

function escapeName(name: string): string {
  return name.replace(/\r/g, '%0D').replace(/\n/g, '%0A').replace(/"/g, '%22')
}
