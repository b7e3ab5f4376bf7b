import { UsageError } from '../problems.ts'
import { canBeNegated, findOption, settingNames } from './usage.ts'

/** The value of an option, and the words that name its origin in an error. */
export interface Value {
  text: string
  source: string
}

/** The text of an option without a value: present or, by the configuration file, turned off. */
export const [ON, OFF] = ['true', 'false']

/**
 * Parses the configuration file: lines `name = value`, with the names of options. Empty lines and those that begin with `#`
 * are skipped. Throws `UsageError` that names the line.
 */
export function parseSettings(text: string, file: string): Map<string, Value> {
  const settings = new Map<string, Value>()
  for (const [index, line] of text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .entries()) {
    if (/^\s*(?:#|$)/.test(line)) continue
    const where = `${file}, line ${index + 1}`
    // The line may hold a key, so no error repeats more than the name.
    const [, name = '', value = ''] = /^\s*([^\s=]+)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    if (name === '') throw new UsageError(`${where}: a line must be like "optimize = true"`)
    const option = findOption(name)
    if (option?.isSetting !== true) {
      throw new UsageError(`${where}: "${name}" is no setting: use one of ${settingNames().join(', ')}`)
    }
    if (settings.has(name)) throw new UsageError(`${where}: ${name} is set twice: leave one out`)
    if (option.value === undefined && value !== ON && value !== OFF) {
      throw new UsageError(`${where}: ${name} must be true or false`)
    }
    if (value === '') throw new UsageError(`${where}: ${name} needs a value`)
    settings.set(name, { text: value, source: `${where}: ${name}` })
  }
  return settings
}

/** Merges the options of a command line with those of the configuration file, which count less. `--no-NAME` is a value of `OFF`. */
export function mergedValues(
  typed: ReadonlyMap<string, Value>,
  settings: ReadonlyMap<string, Value>,
): ReadonlyMap<string, Value> {
  const merged = new Map([...settings, ...typed])
  // --json is a format.
  if (typed.has('json') && !typed.has('format')) merged.delete('format')
  for (const [name, { text }] of merged) if (text === OFF && canBeNegated(name)) merged.delete(name)
  return merged
}
