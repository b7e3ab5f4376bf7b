/** Returns the URL of an absolute address, or undefined if it is none. Browsers of 2023 have no `URL.parse`. */
export function parseAddress(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
