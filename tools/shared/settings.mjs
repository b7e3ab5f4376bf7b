// Reads the settings of the Worker before it is started or deployed, so that a mistake is reported to the operator and not only
// to the log.
import { messageOf } from './command-line.mjs'

/**
 * Throws one sentence about the first of these variables that the Worker could not read. It must be called in a Node.js that
 * reads TypeScript.
 * @param {Readonly<Record<string, unknown>>} variables
 */
export async function checkSettings(variables) {
  const settings = await import('../../src/settings.ts')
  settings.checkSettings(variables)
}

/**
 * The same for an option of a command, whose name precedes the sentence.
 * @param {string} option
 * @param {string} name
 * @param {string | undefined} setting
 */
export async function checkOption(option, name, setting) {
  if (setting === undefined) return
  try {
    await checkSettings({ [name]: setting })
  } catch (error) {
    throw new Error(`${option}: ${messageOf(error)}`)
  }
}
