/** A key that opens the operator's paths, and the name of who has it. */
export interface OperatorKey {
  name: string
  key: string
}

/** Whose key has no name. */
const NAMELESS = 'operator'
const ENTRY = /^(?:([A-Za-z][A-Za-z0-9_-]{0,31}):)?(\S*[^\s:])$/

/**
 * Parses the setting: one or several keys, with commas or white space between them, each as `name:key` or, of an operator
 * without a name, bare. What has no key is no entry. The keys may hold anything but commas and white space.
 */
export function parseOperatorKeys(setting: string): OperatorKey[] {
  return setting.split(/[\s,]+/).flatMap((entry) => {
    const [, name = NAMELESS, key] = ENTRY.exec(entry) ?? []
    return key === undefined ? [] : [{ name, key }]
  })
}
