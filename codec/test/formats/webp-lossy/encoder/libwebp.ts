import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import type { Yuv } from './encoder.ts'

const folder = mkdtempSync(join(tmpdir(), 'webp-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The planes that dwebp decodes a file to. Options: `-nofilter` leaves out the loop filter. */
export function dwebp(file: Uint8Array, ...options: string[]): Buffer {
  const input = join(folder, 'in.webp')
  const output = join(folder, 'out.yuv')
  writeFileSync(input, file)
  execFileSync('dwebp', [input, '-yuv', '-quiet', ...options, '-o', output], { stdio: 'pipe' })
  return readFileSync(output)
}

/** Encodes an image with cwebp, method 4. */
export function cwebp(image: Yuv, quality: number): Buffer {
  const input = join(folder, 'in.yuv')
  const output = join(folder, 'out.webp')
  writeFileSync(input, image.samples)
  const size = ['-s', String(image.width), String(image.height)]
  execFileSync('cwebp', [...size, '-m', '4', '-q', String(quality), '-quiet', input, '-o', output], { stdio: 'pipe' })
  return readFileSync(output)
}
