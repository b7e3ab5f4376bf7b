/** Encodes data for a script of the page, as JSON that is safe in markup. */
export function escapeJson(data: object): string {
  return JSON.stringify(data).replace(/[<>]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`)
}
