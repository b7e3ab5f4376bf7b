/** Returns a text as a string of CSS within a `style` element. */
export function cssString(text: string): string {
  return JSON.stringify(text).replaceAll('<', '\\3c ')
}
