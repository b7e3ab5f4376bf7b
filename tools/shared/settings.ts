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

/**
 * Throws one sentence where settings do not go together, each of which can be read: one contradicts another, or lacks the one that
 * it needs.
 */
export async function checkTogether(variables: Readonly<Record<string, unknown>>) {
  await checkSettings(variables)
  const [problem] = await unmetNeeds(variables, [])
  if (problem !== undefined) throw new Error(problem)
}

/** Returns a sentence for each setting that lacks the one that it needs, among variables and the names of secrets. */
export async function unmetNeeds(variables: Readonly<Record<string, unknown>>, secrets: readonly string[]) {
  const settings = await import('../../src/settings.ts')
  return settings
    .unmetNeeds((name) => Boolean(variables[name]) || secrets.includes(name))
    .map(({ name, needs }) => `${name} needs ${needs}, which is not set: set both, or neither`)
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
