/**
 * Returns a message of workerd for the log: without the line of addresses in its machine code, which says nothing. Undefined if nothing
 * is left.
 */
export function withoutAddresses(message: string): string | undefined {
  const text = message.replace(/^stack: .*$/gm, '').trim()
  return text === '' ? undefined : text
}
