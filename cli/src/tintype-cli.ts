import { existsSync, readFileSync, statSync } from 'node:fs'
import manifest from '../package.json' with { type: 'json' }
import { cover } from './commands/cover.ts'
import { remove } from './commands/delete.ts'
import { download } from './commands/download.ts'
import { history } from './commands/history.ts'
import { mcp } from './commands/mcp.ts'
import { rename } from './commands/rename.ts'
import { status } from './commands/status.ts'
import { upload } from './commands/upload.ts'
import { SAME_SIGNAL_MS } from './limits.ts'
import { withoutTokens } from './management-link.ts'
import { printable } from './printable.ts'
import { RequestFailed, Stopped, UsageError } from './problems.ts'
import { createSession } from './session.ts'
import { readCommandLine, type Task } from './terminal/arguments.ts'
import { completionScript } from './terminal/completions.ts'
import { helpOf } from './terminal/usage.ts'
import { wrapped } from './terminal/wrapping.ts'

const USAGE_CODE = 2
const STOPPED_CODE = 130
/** Longer lines are hard to read. */
const HELP_MAX_COLUMNS = 100

const stop = new AbortController()
stopWithSignals()
outliveReader()
process.exitCode = await main().catch(tell)

/** Runs the command line; returns the exit code. */
async function main(): Promise<number> {
  const surroundings = { env: process.env, exists: existsSync, read: readSettingsFile, nowMs: Date.now() }
  const invocation = readCommandLine(process.argv.slice(2), surroundings)
  if (invocation.command === 'help')
    return print(
      wrapped(helpOf(invocation.about), Math.min(process.stdout.columns || HELP_MAX_COLUMNS, HELP_MAX_COLUMNS)),
    )
  if (invocation.command === 'version') return print(`tintype-cli ${manifest.version}\n`)
  if (invocation.command === 'completion') return print(completionScript(invocation.shell))
  const code = await run(invocation)
  return stop.signal.aborted ? STOPPED_CODE : code
}

function run(invocation: Task): Promise<number> {
  const session = createSession(invocation, stop.signal)
  switch (invocation.command) {
    case 'upload':
      return upload(invocation, session)
    case 'cover':
      return cover(invocation, session)
    case 'download':
      return download(invocation, session)
    case 'status':
      return status(invocation, session)
    case 'rename':
      return rename(invocation, session)
    case 'delete':
      return remove(invocation, session)
    case 'history':
      return history(invocation, session)
    case 'mcp':
      return mcp(invocation, session)
  }
}

/** The text of the configuration file. Warns if it has a key that other users of the computer can read. */
function readSettingsFile(file: string): string | undefined {
  try {
    const text = readFileSync(file, 'utf8')
    const isOpen = process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0
    if (isOpen && /^\s*key\s*=/m.test(text)) {
      console.error(`tintype-cli: other users can read the key in ${file}: chmod 600 it`)
    }
    return text
  } catch {
    return undefined
  }
}

function print(text: string): number {
  process.stdout.write(text)
  return 0
}

/** Says what went wrong in one sentence; returns the exit code. What is no error of ours is a bug, and comes with its place. */
function tell(error: unknown): number {
  if (error instanceof Stopped) {
    console.error('tintype-cli: stopped')
    return STOPPED_CODE
  }
  if (error instanceof UsageError) {
    console.error(`tintype-cli: ${printable(withoutTokens(error.message))}`)
    return USAGE_CODE
  }
  if (error instanceof RequestFailed) {
    console.error(`tintype-cli: ${printable(error.message)}`)
    return 1
  }
  console.error(error)
  return 1
}

/** The first signal stops the work, and the summary is printed. A second one ends the program. */
function stopWithSignals(): void {
  let stoppedAtMs: number | undefined
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stoppedAtMs !== undefined && performance.now() - stoppedAtMs > SAME_SIGNAL_MS) process.exit(STOPPED_CODE)
      stoppedAtMs ??= performance.now()
      stop.abort()
    })
  }
}

/**
 * A reader of our output, such as `head`, may stop reading. The command then continues, so that no gallery is left
 * unfinished.
 */
function outliveReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}
