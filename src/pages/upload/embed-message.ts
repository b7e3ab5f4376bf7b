/** The popup's message to the page that opened it: the codes of the uploads, and nothing else. */
export interface EmbedMessage {
  kind: 'tintype-codes'
  codes: string
  /** Code for editors that show images. Popups of earlier versions have none. */
  html?: string | undefined
}

/** The reply of the page when the codes are in the text. */
export const INSERTED = 'tintype-inserted'
/** The reply of the page when they are not. */
export const NOT_INSERTED = 'tintype-not-inserted'
