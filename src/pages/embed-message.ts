/** What the popup sends to the page that opened it: the codes of what was uploaded, and nothing else. */
export interface EmbedMessage {
  kind: 'tintype-codes'
  codes: string
}

/** What the page answers when the codes stand in its text. */
export const INSERTED = 'tintype-inserted'
