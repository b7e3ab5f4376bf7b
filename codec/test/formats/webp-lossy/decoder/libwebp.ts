import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'vp8-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The planes that dwebp makes of a file, that of alpha appended where the file has one; undefined if it refuses the file. */
export function dwebpYuv(file: Buffer, ...options: string[]): Buffer | undefined {
  const input = join(folder, 'in.webp')
  const output = join(folder, 'out.yuv')
  writeFileSync(input, file)
  try {
    execFileSync('dwebp', [input, '-yuv', '-quiet', ...options, '-o', output], { stdio: 'pipe' })
  } catch {
    return undefined
  }
  return readFileSync(output)
}

/** Encodes interleaved RGB with cwebp. */
export function cwebpOfRgb(width: number, height: number, rgb: Buffer, options: string): Buffer {
  const input = join(folder, 'in.ppm')
  const output = join(folder, 'out.webp')
  writeFileSync(input, Buffer.concat([Buffer.from(`P6\n${width} ${height}\n255\n`), rgb]))
  execFileSync('cwebp', [input, '-quiet', ...options.split(' '), '-o', output], { stdio: 'pipe' })
  return readFileSync(output)
}
