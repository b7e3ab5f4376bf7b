import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import type { TestImage } from './made-images.ts'

const folder = mkdtempSync(join(tmpdir(), 'vp8l-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Decodes a file with dwebp; undefined if it refuses it. */
export function dwebp(file: Buffer, ...options: string[]): TestImage | undefined {
  const input = join(folder, 'in.webp')
  const output = join(folder, 'out.pam')
  writeFileSync(input, file)
  try {
    execFileSync('dwebp', [input, '-pam', '-quiet', ...options, '-o', output], { stdio: 'pipe' })
  } catch {
    return undefined
  }
  return readPam(readFileSync(output))
}

/** Encodes an image with cwebp. */
export function cwebp({ width, height, rgba }: TestImage, options: string): Buffer {
  const input = join(folder, 'in.pam')
  const output = join(folder, 'out.webp')
  writeFileSync(input, Buffer.concat([Buffer.from(pamHead(width, height)), rgba]))
  execFileSync('cwebp', [input, '-quiet', ...options.split(' '), '-o', output], { stdio: 'pipe' })
  return readFileSync(output)
}

function pamHead(width: number, height: number): string {
  return `P7\nWIDTH ${width}\nHEIGHT ${height}\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n`
}

function readPam(file: Buffer): TestImage {
  const end = file.indexOf('ENDHDR\n') + 'ENDHDR\n'.length
  const head = file.toString('latin1', 0, end)
  const number = (name: string): number => Number(head.match(new RegExp(`^${name} (\\d+)$`, 'm'))?.[1])
  if (number('DEPTH') !== 4) throw new Error(`a PAM of depth ${number('DEPTH')}`)
  return { width: number('WIDTH'), height: number('HEIGHT'), rgba: file.subarray(end) }
}
