/** The choices that a browser keeps from one visit to the next, by name. They are sent only as fields of an upload. */
type Choices = Record<string, string>

/** Returns the choices stored under a key; empty where nothing is stored, or storage is disabled. */
export function readChoices(key: string): Choices {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '{}')
    if (typeof stored !== 'object' || stored === null) return {}
    return Object.fromEntries(Object.entries(stored).map(([name, value]) => [name, String(value)]))
  } catch {
    return {}
  }
}

/** Stores choices under a key, unless storage is disabled. */
export function keepChoices(key: string, choices: Choices): void {
  try {
    localStorage.setItem(key, JSON.stringify(choices))
  } catch {
    // The next visit has the defaults.
  }
}
