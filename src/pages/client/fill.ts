/** A text with its `{arguments}` filled in. */
export function fill(text: string, values: Record<string, string>): string {
  return text.replace(/\{([a-z]+)\}/g, (whole, name) => values[name] ?? whole)
}
