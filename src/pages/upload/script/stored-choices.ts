/** The choices that a browser keeps from one visit to the next, as texts by name. None is sent but as a field of an upload. */
type Choices = Record<string, string>

/** The choices stored under this key; none if there are none, or nothing may be stored. */
export function readChoices(key: string): Choices {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '{}')
    if (typeof stored !== 'object' || stored === null) return {}
    return Object.fromEntries(Object.entries(stored).map(([name, value]) => [name, String(value)]))
  } catch {
    return {}
  }
}

/** Keeps choices under this key, if the browser lets it. */
export function keepChoices(key: string, choices: Choices): void {
  try {
    localStorage.setItem(key, JSON.stringify(choices))
  } catch {
    // Without a storage, the next visit has the old choices.
  }
}
