import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { OSC52_MAX_BYTES, TOOL_TIMEOUT_MS } from '../limits.ts'
import { RequestFailed } from '../problems.ts'

/** A program, with its arguments. */
type Tool = readonly [program: string, ...args: string[]]

type Env = Readonly<Record<string, string | undefined>>

/**
 * Puts a text on the clipboard: by a program of the desktop or, without one, by the terminal. Throws `RequestFailed` with the
 * reason.
 */
export async function copyText(text: string, env: Env): Promise<void> {
  const tool = clipboardTools(env).find(([program]) => isInstalled(program, env))
  if (tool !== undefined) return feed(tool, text)
  const terminal = [process.stderr, process.stdout].find(({ isTTY }) => isTTY)
  const encoded = Buffer.from(text).toString('base64')
  if (terminal !== undefined && encoded.length <= OSC52_MAX_BYTES) {
    // OSC 52 of xterm: the terminal sets the clipboard, also across ssh.
    terminal.write(`\x1b]52;c;${encoded}\x07`)
    return
  }
  throw new RequestFailed('not copied: there is no clipboard. Install wl-copy, xclip or xsel')
}

/** Opens a page in the browser of the desktop. Throws `RequestFailed` with the reason. */
export async function openPage(url: string, env: Env): Promise<void> {
  const tool = openers(env).find(([program]) => isInstalled(program, env))
  if (tool === undefined) throw new RequestFailed('not opened: there is no browser. Install xdg-utils')
  const [program, ...args] = tool
  const child = spawn(program, [...args, url], { detached: true, stdio: 'ignore' })
  const code = await exitCode(child, AbortSignal.timeout(TOOL_TIMEOUT_MS))
  child.unref()
  // A browser that runs on was opened.
  if (code !== 0 && code !== undefined) throw new RequestFailed(`not opened: ${program} failed`)
}

function clipboardTools({ WAYLAND_DISPLAY, DISPLAY, WSL_DISTRO_NAME }: Env): Tool[] {
  if (process.platform === 'darwin') return [['pbcopy']]
  if (process.platform === 'win32') return [['clip.exe']]
  return [
    ...(WAYLAND_DISPLAY ? [['wl-copy'] as const] : []),
    ...(DISPLAY
      ? ([
          ['xclip', '-selection', 'clipboard'],
          ['xsel', '--clipboard', '--input'],
        ] as const)
      : []),
    ...(WSL_DISTRO_NAME ? [['clip.exe'] as const] : []),
  ]
}

function openers({ WSL_DISTRO_NAME }: Env): Tool[] {
  if (process.platform === 'darwin') return [['open']]
  // `start` is a command of the shell, which would interpret & and % of an address.
  if (process.platform === 'win32') return [['rundll32.exe', 'url.dll,FileProtocolHandler']]
  return [...(WSL_DISTRO_NAME ? [['wslview'] as const] : []), ['xdg-open']]
}

function isInstalled(program: string, env: Env): boolean {
  const folders = (env.PATH ?? env.Path ?? '').split(path.delimiter)
  return folders.some((folder) => folder !== '' && existsSync(path.join(folder, program)))
}

async function feed([program, ...args]: Tool, text: string): Promise<void> {
  // xclip and wl-copy leave a process behind that holds the text, and would hold our streams.
  const child = spawn(program, args, { stdio: ['pipe', 'ignore', 'ignore'] })
  const signal = AbortSignal.timeout(TOOL_TIMEOUT_MS)
  // It may end before it has read all.
  child.stdin.on('error', () => {})
  // clip.exe reads the system's own encoding, or UTF-16.
  child.stdin.end(program === 'clip.exe' && /[^\0-\x7f]/.test(text) ? Buffer.from(text, 'utf16le') : text)
  const code = await exitCode(child, signal)
  if (code === 0) return
  child.kill()
  throw new RequestFailed(`not copied: ${program} ${code === undefined ? 'does not end' : 'failed'}`)
}

/** Returns the exit code; undefined if the program still runs when `signal` aborts. */
async function exitCode(child: ReturnType<typeof spawn>, signal: AbortSignal): Promise<number | undefined> {
  try {
    const [code]: unknown[] = await once(child, 'exit', { signal })
    return typeof code === 'number' ? code : 1
  } catch {
    return signal.aborted ? undefined : 1
  }
}
