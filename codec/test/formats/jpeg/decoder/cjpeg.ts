// Files that sharp cannot write, by cjpeg of libjpeg-turbo-progs.

import { execFileSync } from 'node:child_process'
import type { Picture } from './pictures.ts'

/** The RGB image as a JPEG file, with options of cjpeg. */
export function cjpeg(picture: Picture, ...options: string[]): Uint8Array {
  const header = new TextEncoder().encode(`P6\n${picture.width} ${picture.height}\n255\n`)
  const input = new Uint8Array(header.length + picture.bytes.length)
  input.set(header)
  input.set(picture.bytes, header.length)
  const stdio: ['pipe', 'pipe', 'ignore'] = ['pipe', 'pipe', 'ignore']
  return new Uint8Array(execFileSync('cjpeg', ['-quality', '92', ...options], { input, maxBuffer: 1 << 28, stdio }))
}
