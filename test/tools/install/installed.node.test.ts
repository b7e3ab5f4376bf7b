import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { nodeBinary, ROOT } from '../../../tools/install/installed.mjs'

/** Ends the second time, so that a mistake causes no endless chain of processes. */
const SCRIPT = `import { continueInOwnNode } from './installed.mjs'
process.env.STARTS = String(Number(process.env.STARTS ?? 0) + 1)
if (process.env.STARTS < 3) continueInOwnNode()
console.log(process.env.STARTS)`

test('a command restarts in the Node.js of linked packages, once', () => {
  const checkout = mkdtempSync(path.join(tmpdir(), 'tintype-linked-'))
  try {
    cpSync(path.join(ROOT, 'tools'), path.join(checkout, 'tools'), { recursive: true })
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(checkout, 'node_modules'))
    const script = path.join(checkout, 'tools', 'install', 'started.mjs')
    writeFileSync(script, SCRIPT)
    expect(execFileSync(nodeBinary(), [script], { encoding: 'utf8' }).trim()).toBe('1')
  } finally {
    rmSync(checkout, { recursive: true })
  }
})
