// `npm run tintype -- bench:forms`: the CPU that workerd needs to read a form, compared with the platform's own readers in the same process. The
// forms have a file of 10 MB, and 20 MB of bytes that resemble delimiters as much as possible.

import { randomFillSync } from 'node:crypto'
import path from 'node:path'
import { ROOT } from '../tools/install/installed.mjs'
import { readNumbers } from '../tools/shared/command-line.ts'
import { GENERATED } from '../tools/shared/when-changed.ts'
import { cpuMs, workerdOf } from './support/process.ts'

const { numbers } = readNumbers({
  usage: `Usage: npm run tintype -- bench:forms [options]
Measures what reading a form costs, beside the readers of the platform.
  --requests N   how many forms each reader gets (20)
  --help         this text`,
  numbers: { requests: 20 },
})

// Large packages: after the options, so that --help is quick.
const { build } = await import('esbuild')
const { convertV4MiniflareOptions, Miniflare } = await import('miniflare')

const REQUESTS = numbers.requests
const MIB = 1024 * 1024
const PORT = 18_791
const LONG = 'a'.repeat(70)
/** Boundaries, and what looks like their delimiters without being one. */
const NEARLY_DELIMITERS: [boundary: string, pattern: string][] = [
  ['a', '\r\n--aX'],
  ['a', '\r\n--a-X'],
  ['a', '\r\n--a\t\tX'],
  ['a', '\r\n--'],
  ['a', '\r'],
  ['a', '-'],
  ['ab', 'a'],
  [LONG, 'a'],
  [LONG, `\r\n--${LONG.slice(1)}`],
  [LONG, `\r\n--${LONG}X`],
]

const worker = path.join(GENERATED, 'bench', 'form-reader.js')
await build({
  entryPoints: [path.join(ROOT, 'bench', 'support', 'form-reader.ts')],
  outfile: worker,
  bundle: true,
  format: 'esm',
  target: 'es2024',
  external: ['node:*'],
  logLevel: 'error',
})
const miniflare = new Miniflare(
  convertV4MiniflareOptions({
    modules: true,
    scriptPath: worker,
    name: 'forms',
    cf: false,
    compatibilityDate: '2026-10-20',
    compatibilityFlags: ['nodejs_compat'],
    unsafeDirectSockets: [{ host: '127.0.0.1', port: PORT }],
  }),
)
await miniflare.ready
const workerd = workerdOf(process.pid)

const random = randomFillSync(Buffer.alloc(10 * MIB))
const photo = formOf([random], '----WebKitFormBoundary7MA4YWxkTrZu0gW')
console.log('| 10 MB of random bytes | CPU ms | / formData() |\n|---|---|---|')
const formData = await measure('formData', photo)
for (const reader of ['tintype', 'formData', 'arrayBuffer']) {
  const ms = reader === 'formData' ? formData : await measure(reader, photo)
  console.log(`| ${reader} | ${ms.toFixed(1)} | ${(ms / formData).toFixed(2)} |`)
}

console.log('\n| 2 files of 10 MB | boundary | CPU ms | / random bytes |\n|---|---|---|---|')
const plain = await measure('tintype', formOf([random, random], 'a'))
console.log(`| random bytes | \`a\` | ${plain.toFixed(1)} | 1.00 |`)
for (const [boundary, pattern] of NEARLY_DELIMITERS) {
  // Cut off at the end, a pattern could become the delimiter itself.
  const file = Buffer.alloc(10 * MIB, pattern).fill(0, 10 * MIB - pattern.length)
  const ms = await measure('tintype', formOf([file, file], boundary))
  const written = JSON.stringify(pattern.length > 20 ? `${pattern.slice(0, 20)}…` : pattern).slice(1, -1)
  const boundaryWritten = boundary.length > 20 ? `${boundary.slice(0, 8)}…` : boundary
  console.log(`| \`${written}\` repeated | \`${boundaryWritten}\` | ${ms.toFixed(1)} | ${(ms / plain).toFixed(2)} |`)
}
await miniflare.dispose()

/** A form of one or two files and a text. */
function formOf(files: Buffer[], boundary: string) {
  const parts = files.map((file, i) => [
    `--${boundary}\r\nContent-Disposition: form-data; name="${i ? 'img_right' : 'img'}"; filename="a.jpg"\r\n\r\n`,
    file,
    '\r\n',
  ])
  const text = `--${boundary}\r\nContent-Disposition: form-data; name="content_type"\r\n\r\n0\r\n--${boundary}--\r\n`
  return { boundary, body: Buffer.concat([...parts.flat(), text].map((part) => Buffer.from(part))) }
}

/** CPU milliseconds a request, of all threads of workerd; the first two compile and are not counted. */
async function measure(reader: string, { boundary, body }: ReturnType<typeof formOf>) {
  const request = async () => {
    const response = await fetch(`http://127.0.0.1:${PORT}/${reader}`, {
      method: 'POST',
      headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
      body,
    })
    const read = Number(await response.text())
    if (!(read >= 10 * MIB)) throw new Error(`${reader} read ${read} of ${body.length} bytes`)
  }
  for (let i = 0; i < 2; i++) await request()
  const before = cpuMs(workerd)
  for (let i = 0; i < REQUESTS; i++) await request()
  return (cpuMs(workerd) - before) / REQUESTS
}
