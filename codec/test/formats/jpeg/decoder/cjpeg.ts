// Files that sharp cannot write, by cjpeg of libjpeg-turbo-progs.

import { execFileSync } from 'node:child_process'
import type { TestImage } from './images.ts'

/** The RGB image as a JPEG file, with options of cjpeg. */
export function cjpeg(image: TestImage, ...options: string[]): Uint8Array {
  const header = new TextEncoder().encode(`P6\n${image.width} ${image.height}\n255\n`)
  const input = new Uint8Array(header.length + image.bytes.length)
  input.set(header)
  input.set(image.bytes, header.length)
  const stdio: ['pipe', 'pipe', 'ignore'] = ['pipe', 'pipe', 'ignore']
  return new Uint8Array(execFileSync('cjpeg', ['-quality', '92', ...options], { input, maxBuffer: 1 << 28, stdio }))
}
