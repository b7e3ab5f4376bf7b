import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const SCRIPT = path.resolve(import.meta.dirname, '../../../tools/install/build-lock.mjs')

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tintype-lock-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const lock = () => path.join(folder, 'build.lock')
const notes = () => path.join(folder, 'notes')
const printed: string[] = []

/** Starts a command that takes the lock, and runs `work` while it has it. */
function command(work: string, env: Record<string, string> = {}): ChildProcess {
  const code = `
    import { appendFileSync, existsSync } from 'node:fs'
    import { spawnSync } from 'node:child_process'
    import { takeBuildLock } from ${JSON.stringify(SCRIPT)}
    const file = ${JSON.stringify(lock())}
    const note = (text) => appendFileSync(${JSON.stringify(notes())}, text + '\\n')
    const wait = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
    const release = takeBuildLock({ file })
    ${work}
    release()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { env: { ...process.env, ...env } })
  child.stdout?.on('data', (text) => printed.push(String(text)))
  return child
}

const ended = (child: ChildProcess) => new Promise<number | null>((resolve) => child.once('exit', resolve))
const noted = () => (existsSync(notes()) ? readFileSync(notes(), 'utf8').trim().split('\n') : [])

test('simultaneous builds run one after the other, and report that they wait', async () => {
  printed.length = 0
  const go = path.join(folder, 'go')
  const work = `note('begin'); while (!existsSync(${JSON.stringify(go)})) wait(10); note('end')`
  const children = Array.from({ length: 4 }, () => command(work))
  const waiting = 'Another command is installing or building here: waiting for it ...\n'
  await expect.poll(() => printed.join('')).toBe(waiting.repeat(3))
  expect(noted()).toEqual(['begin'])
  writeFileSync(go, '')
  expect(await Promise.all(children.map(ended))).toEqual([0, 0, 0, 0])
  expect(noted()).toEqual(Array(4).fill(['begin', 'end']).flat())
  expect(existsSync(lock())).toBe(false)
})

test('a killed command holds nothing, even if another process now has its id', async () => {
  const killed = command(`note('begin'); wait(1e9)`)
  await expect.poll(noted).toEqual(['begin'])
  const waiting = command(`note('next')`)
  killed.kill('SIGKILL')
  expect(await ended(waiting)).toBe(0)
  writeFileSync(lock(), `${process.pid} 1`)
  expect(await ended(command(`note('last')`))).toBe(0)
  expect(noted()).toEqual(['begin', 'next', 'last'])
})

test('children of a holder need no lock of their own, and parts of one process share it', async () => {
  const child = `import { takeBuildLock } from ${JSON.stringify(SCRIPT)}; takeBuildLock({ file: ${JSON.stringify(lock())} })()`
  const work = `
    const inner = takeBuildLock({ file })
    spawnSync(process.execPath, ['--input-type=module', '-e', ${JSON.stringify(child)}])
    note(existsSync(file))
    inner()
    note(existsSync(file))`
  expect(await ended(command(work))).toBe(0)
  expect([...noted(), existsSync(lock())]).toEqual(['true', 'true', false])
})
