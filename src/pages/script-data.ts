/** Data for a script of the page, as JSON that can stand in markup. */
export function escapeJson(data: object): string {
  return JSON.stringify(data).replace(/[<>]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`)
}
