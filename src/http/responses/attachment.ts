/**
 * Returns the Content-Disposition of a file to save (RFC 6266): under `plain`, which is ASCII, and under `name` for clients that read the
 * other form.
 */
export function attachment(plain: string, name: string | undefined): string {
  const disposition = `attachment; filename="${plain}"`
  return name === undefined || name === plain
    ? disposition
    : `${disposition}; filename*=UTF-8''${encodeParameter(name)}`
}

/** RFC 8187, 3.2.1: encodeURIComponent leaves four characters that are not allowed there. */
function encodeParameter(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(/['()*]/g, (character) => `%${hexOf(character)}`)
}

function hexOf(character: string): string {
  return character.charCodeAt(0).toString(16).toUpperCase()
}
