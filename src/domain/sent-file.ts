/** A file as it was sent: its bytes, and its name as the client wrote it, empty if there is none or it cannot be decoded. */
export interface SentFile {
  filename: string
  bytes: Uint8Array
}
