/** A file as it was sent: its name as the client wrote it, empty when there is none or it cannot be decoded; and its bytes. */
export interface SentFile {
  filename: string
  bytes: Uint8Array
}
