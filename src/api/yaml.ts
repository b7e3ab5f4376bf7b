/**
 * Converts a JSON value to YAML 1.2, in blocks: one key or item per line, every text in double quotes, as in JSON.
 * Empty lists and objects are written as in JSON.
 */
export function yamlOf(value: unknown): string {
  return `${linesOf(value).join('\n')}\n`
}

const PLAIN_KEY = /^[A-Za-z_$][A-Za-z0-9_$-]*$/
/** Words that YAML 1.1 takes for no text, which programs of today still read. */
const NO_TEXT = /^(?:y|n|yes|no|on|off|true|false|null)$/i

function linesOf(value: unknown): string[] {
  if (Array.isArray(value) && value.length > 0) return value.flatMap((item: unknown) => nested('-', linesOf(item), ' '))
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return [JSON.stringify(value)]
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
    const name = PLAIN_KEY.test(key) && !NO_TEXT.test(key) ? key : JSON.stringify(key)
    const lines = linesOf(inner)
    const isBlock = typeof inner === 'object' && inner !== null && Object.keys(inner).length > 0
    return isBlock ? [`${name}:`, ...lines.map((line) => `  ${line}`)] : [`${name}: ${lines[0]}`]
  })
}

/** Lines behind a marker: the first beside it, the others as far in. */
function nested(marker: string, lines: readonly string[], gap: string): string[] {
  return lines.map((line, index) => (index === 0 ? marker + gap + line : ' '.repeat(marker.length + gap.length) + line))
}
