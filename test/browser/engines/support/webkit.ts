import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild } from './child.ts'
import type { Tab } from './tab.ts'

/** The interpreter of Debian's packages, which another one does not see. */
const PYTHON = '/usr/bin/python3'
const BROWSER = join(import.meta.dirname, 'webkit-window.py')
const PACKAGES = 'apt-get install webkit2gtk-driver gir1.2-webkit2-4.1 python3-gi xvfb'
/** The key of an element in responses (WebDriver, 12.2). */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'
const START_TIMEOUT_MS = 120_000

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
  const { sessionId } = await send(driverAddress, 'POST', '/session', {
    capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': binary } },
  })
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
      const { value, error } = await send(session, 'POST', '/execute/async', { script, args: [] })
      if (error !== undefined) throw new Error(`${error}: ${expression}`)
      return value
    },
    async click(x, y) {
      await act({
        type: 'pointer',
        id: 'mouse',
        parameters: { pointerType: 'mouse' },
        actions: [
          { type: 'pointerMove', x: Math.round(x), y: Math.round(y), duration: 0 },
          { type: 'pointerDown', button: 0 },
          { type: 'pointerUp', button: 0 },
        ],
      })
    },
    async press(...keys) {
      const down = keys.map((value) => ({ type: 'keyDown', value }))
      const up = keys.toReversed().map((value) => ({ type: 'keyUp', value }))
      await act({ type: 'key', id: 'keyboard', actions: [...down, ...up] })
    },
    async setFiles(selector, files) {
      const element = await send(session, 'POST', '/element', { using: 'css selector', value: selector })
      await send(session, 'POST', `/element/${element[ELEMENT]}/value`, { text: files.join('\n') })
    },
    async resize(width, height) {
      await send(session, 'POST', '/window/rect', { width, height })
    },
    async screenshot() {
      return Buffer.from(await send(session, 'GET', '/screenshot'), 'base64')
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

function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
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

// biome-ignore lint/suspicious/noExplicitAny: the results of the protocol, which no type describes here
async function send(address: string, method: string, path: string, body?: object): Promise<any> {
  const response = await fetch(address + path, { method, ...(body ? { body: JSON.stringify(body) } : {}) })
  const { value } = JSON.parse(await response.text())
  if (!response.ok) throw new Error(`${path}: ${value.error}: ${value.message}`)
  return value
}
