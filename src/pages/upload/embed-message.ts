/** The popup's message to the page that opened it: the codes of the uploads, and nothing else. */
export interface EmbedMessage {
  kind: 'tintype-codes'
  codes: string
}

/** The reply of the page when it has inserted the codes. */
export const INSERTED = 'tintype-inserted'
