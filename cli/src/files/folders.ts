import { homedir } from 'node:os'
import path from 'node:path'

type Env = Readonly<Record<string, string | undefined>>

/** The configuration file (XDG Base Directory Specification). */
export function configFile(env: Env): string {
  const folder = env.APPDATA && process.platform === 'win32' ? env.APPDATA : xdg(env, 'XDG_CONFIG_HOME', '.config')
  return path.join(folder, 'tintype', 'config')
}

/** The file of recorded uploads. */
export function historyFile(env: Env): string {
  const folder =
    env.LOCALAPPDATA && process.platform === 'win32' ? env.LOCALAPPDATA : xdg(env, 'XDG_STATE_HOME', '.local/state')
  return path.join(folder, 'tintype', 'history.jsonl')
}

/** The specification ignores relative paths. */
function xdg(env: Env, variable: string, fallback: string): string {
  const folder = env[variable]
  return folder && path.isAbsolute(folder) ? folder : path.join(env.HOME || homedir(), fallback)
}
