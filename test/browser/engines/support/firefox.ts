import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { startChild } from './child.ts'
import { clickAt, pressOf, type Tab } from './tab.ts'

/** Settings of the profile: English, no first pages, no updates, no safe browsing and no telemetry. */
const SETTINGS: Readonly<Record<string, string | boolean | number>> = {
  'app.normandy.enabled': false,
  'app.update.enabled': false,
  'browser.aboutwelcome.enabled': false,
  'browser.safebrowsing.malware.enabled': false,
  'browser.safebrowsing.phishing.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.page': 0,
  'datareporting.policy.dataSubmissionEnabled': false,
  'intl.accept_languages': 'en',
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'toolkit.telemetry.enabled': false,
  'ui.prefersReducedMotion': 0,
}

// The members of results that are read here (WebDriver BiDi).
const CREATED = z.object({ context: z.string() })
const EVALUATED = z.object({
  result: z.object({ value: z.string() }).optional(),
  exceptionDetails: z.object({ text: z.string() }).optional(),
})
const LOCATED = z.object({ nodes: z.tuple([z.object({ sharedId: z.string() })]) })
const CAPTURED = z.object({ data: z.string() })
const MESSAGE = z.discriminatedUnion('type', [
  z.object({ type: z.literal('success'), id: z.number(), result: z.unknown() }),
  z.object({ type: z.literal('error'), id: z.number().nullable(), message: z.string() }),
  z.object({
    type: z.literal('event'),
    method: z.string(),
    params: z.object({ level: z.string().nullish(), text: z.string().nullish() }),
  }),
])

/** Returns what to install if Firefox is missing; otherwise undefined. */
export function missingFirefox(): string | undefined {
  return spawnSync(program(), ['--version']).status === 0 ? undefined : 'apt-get install firefox-esr'
}

function program(): string {
  return process.env.FIREFOX_PATH ?? 'firefox-esr'
}

/** Starts Firefox without a window, and opens a tab by WebDriver BiDi, which needs no other program. */
export async function startFirefox(): Promise<Tab> {
  const profile = mkdtempSync(join(tmpdir(), 'tintype-firefox-'))
  const lines = Object.entries(SETTINGS).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  )
  writeFileSync(join(profile, 'user.js'), lines.join('\n'))
  const child = startChild(
    program(),
    ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port=0'],
    {
      HOME: profile,
      MOZ_HEADLESS_WIDTH: '1280',
      MOZ_HEADLESS_HEIGHT: '900',
    },
  )
  const address = await child.line(/WebDriver BiDi listening on (ws:\S+)/)
  const connection = await connect(`${address}/session`)
  await connection.send('session.new', { capabilities: {} })
  await connection.send('session.subscribe', { events: ['log.entryAdded'] })
  // The first tab never has the focus.
  const { context } = CREATED.parse(await connection.send('browsingContext.create', { type: 'tab' }))
  await connection.send('browsingContext.activate', { context })
  const act = (source: object) => connection.send('input.performActions', { context, actions: [source] })
  return {
    async open(url) {
      await connection.send('browsingContext.navigate', { context, url, wait: 'complete' })
    },
    async evaluate(expression) {
      const evaluated = await connection.send('script.evaluate', {
        expression: `Promise.resolve(${expression}).then((value) => JSON.stringify(value) ?? 'null')`,
        target: { context },
        awaitPromise: true,
      })
      const { result, exceptionDetails } = EVALUATED.parse(evaluated)
      if (!result) throw new Error(`${exceptionDetails?.text}: ${expression}`)
      return JSON.parse(result.value)
    },
    async click(x, y) {
      await act(clickAt(x, y))
    },
    async press(...keys) {
      await act(pressOf(keys))
    },
    async setFiles(selector, files) {
      const located = await connection.send('browsingContext.locateNodes', {
        context,
        locator: { type: 'css', value: selector },
        maxNodeCount: 1,
      })
      const [{ sharedId }] = LOCATED.parse(located).nodes
      await connection.send('input.setFiles', { context, element: { sharedId }, files })
    },
    async resize(width, height) {
      await connection.send('browsingContext.setViewport', { context, viewport: { width, height } })
    },
    async screenshot() {
      const { data } = CAPTURED.parse(await connection.send('browsingContext.captureScreenshot', { context }))
      return Buffer.from(data, 'base64')
    },
    complaints: () => connection.complaints.splice(0),
    async close() {
      connection.close()
      await child.stop()
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

interface Connection {
  send: (method: string, params: object) => Promise<unknown>
  complaints: string[]
  close: () => void
}

/** Connects to Firefox by WebDriver BiDi. */
async function connect(address: string): Promise<Connection> {
  const socket = new WebSocket(address)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  const pending = new Map<number, PromiseWithResolvers<unknown>>()
  const complaints: string[] = []
  let lastId = 0
  socket.addEventListener('message', ({ data }) => {
    const message = MESSAGE.parse(JSON.parse(data))
    if (message.type === 'event') {
      const { level, text } = message.params
      if (message.method === 'log.entryAdded' && (level === 'error' || level === 'warn')) complaints.push(text ?? '')
      return
    }
    const call = pending.get(message.id ?? 0)
    pending.delete(message.id ?? 0)
    if (message.type === 'error') call?.reject(new Error(message.message))
    else call?.resolve(message.result)
  })
  socket.addEventListener('close', () => {
    for (const { reject } of pending.values()) reject(new Error('Firefox closed the connection'))
  })
  return {
    send(method, params) {
      const call = Promise.withResolvers<unknown>()
      pending.set(++lastId, call)
      socket.send(JSON.stringify({ id: lastId, method, params }))
      return call.promise
    },
    complaints,
    close: () => socket.close(),
  }
}
