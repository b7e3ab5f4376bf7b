// Reads the settings of the Worker before it is started or deployed, so that a mistake is reported to the operator and not only
// to the log.
import { messageOf } from './command-line.ts'

/**
 * Throws one sentence about the first of these variables that the Worker could not read. It must be called in a Node.js that
 * reads TypeScript.
 */
export async function checkSettings(variables: Readonly<Record<string, unknown>>) {
  const settings = await import('../../src/settings.ts')
  settings.checkSettings(variables)
}

/** Throws a sentence about an option of a command if its setting is invalid. */
export async function checkOption(option: string, name: string, setting: string | undefined) {
  if (setting === undefined) return
  try {
    await checkSettings({ [name]: setting })
  } catch (error) {
    throw new Error(`${option}: ${messageOf(error)}`)
  }
}
