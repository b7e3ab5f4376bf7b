import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { freePort } from '../../../contract/support/service.ts'
import { startChild } from './child.ts'
import { clickAt, pressOf, type Tab } from './tab.ts'

/** The interpreter of Debian's packages, which another one does not see. */
const PYTHON = '/usr/bin/python3'
const BROWSER = join(import.meta.dirname, 'webkit-window.py')
const PACKAGES = 'apt-get install webkit2gtk-driver gir1.2-webkit2-4.1 python3-gi xvfb'
/** The key of an element in responses (WebDriver, 12.2). */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'
const START_TIMEOUT_MS = 120_000

// The values of responses that are read here (WebDriver, 6.6).
const SESSION = z.object({ sessionId: z.string() })
const FINISHED = z.object({ value: z.unknown(), error: z.string().optional() })
const FOUND = z.object({ [ELEMENT]: z.string() })
const REFUSAL = z.object({ error: z.string(), message: z.string() })
const RESPONSE = z.object({ value: z.unknown() })

/** Returns what to install if WebKitGTK is missing; otherwise undefined. */
export function missingWebkit(): string | undefined {
  const import41 = 'import gi; gi.require_version("WebKit2", "4.1"); from gi.repository import WebKit2'
  const programs = [spawnSync('WebKitWebDriver', ['--version']), spawnSync('Xvfb', ['-version'])]
  const library = spawnSync(PYTHON, ['-c', import41])
  return programs.every(({ error }) => error === undefined) && library.status === 0 ? undefined : PACKAGES
}

/** Starts WebKitGTK on a screen of its own, and opens a tab by WebDriver. */
export async function startWebkit(): Promise<Tab> {
  const folder = mkdtempSync(join(tmpdir(), 'tintype-webkit-'))
  const screen = startChild('Xvfb', ['-displayfd', '1', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'])
  const display = await screen.line(/^(\d+)$/m)
  const port = await freePort()
  const driver = startChild('WebKitWebDriver', [`--port=${port}`, '--host=127.0.0.1'], {
    DISPLAY: `:${display}`,
    GDK_BACKEND: 'x11',
    HOME: folder,
    LANG: 'C.UTF-8',
    LANGUAGE: 'en',
    LIBGL_ALWAYS_SOFTWARE: '1',
    NO_AT_BRIDGE: '1',
    // Its sandbox does not start as root, as in a container.
    WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    XDG_RUNTIME_DIR: folder,
  })
  const driverAddress = `http://127.0.0.1:${port}`
  await listening(driverAddress)
  const binary = { binary: BROWSER, args: [folder] }
  const begun = await send(driverAddress, 'POST', '/session', {
    capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': binary } },
  })
  const { sessionId } = SESSION.parse(begun)
  const session = `${driverAddress}/session/${sessionId}`
  const act = (source: object) => send(session, 'POST', '/actions', { actions: [source] })
  let reported = 0
  return {
    async open(url) {
      await send(session, 'POST', '/url', { url })
    },
    async evaluate(expression) {
      const script = `const done = arguments[arguments.length - 1]
        Promise.resolve().then(() => ${expression}).then((value) => done({ value }), (error) => done({ error: String(error) }))`
      const { value, error } = FINISHED.parse(await send(session, 'POST', '/execute/async', { script, args: [] }))
      if (error !== undefined) throw new Error(`${error}: ${expression}`)
      return value
    },
    async click(x, y) {
      await act(clickAt(x, y))
    },
    async press(...keys) {
      await act(pressOf(keys))
    },
    async setFiles(selector, files) {
      const element = FOUND.parse(await send(session, 'POST', '/element', { using: 'css selector', value: selector }))
      await send(session, 'POST', `/element/${element[ELEMENT]}/value`, { text: files.join('\n') })
    },
    async resize(width, height) {
      await send(session, 'POST', '/window/rect', { width, height })
    },
    async screenshot() {
      return Buffer.from(z.string().parse(await send(session, 'GET', '/screenshot')), 'base64')
    },
    complaints() {
      const text = driver.output().slice(reported)
      reported = driver.output().length
      return text.split('\n').filter((line) => /^CONSOLE .*\b(?:ERROR|WARN)/.test(line))
    },
    async close() {
      await send(session, 'DELETE', '').catch(() => undefined)
      await driver.stop()
      await screen.stop()
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function listening(address: string): Promise<void> {
  const until = Date.now() + START_TIMEOUT_MS
  for (;;) {
    try {
      await send(address, 'GET', '/status')
      return
    } catch (error) {
      if (Date.now() > until) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

async function send(address: string, method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(address + path, { method, ...(body ? { body: JSON.stringify(body) } : {}) })
  const { value } = RESPONSE.parse(await response.json())
  if (response.ok) return value
  const { error, message } = REFUSAL.parse(value)
  throw new Error(`${path}: ${error}: ${message}`)
}
