/** Text from elsewhere, a file's name or a host's sentence, without what would steer a terminal. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
}
