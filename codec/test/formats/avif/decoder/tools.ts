import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { layered } from './layers.ts'
import { y4m } from './made-image.ts'
import type { Row } from './matrix.ts'

const folder = mkdtempSync(join(tmpdir(), 'av1-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

function run(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0
}

/** The profile that a format needs (annex A.2). */
function profileOf({ sampling, depth }: Row): number {
  if (sampling === '422' || depth === 12) return 2
  return sampling === '444' ? 1 : 0
}

/**
 * Encodes an image with aomenc, as open bitstream units. All frames but the last are layers that it is predicted from.
 */
export function aomenc(row: Row): Buffer {
  const input = join(folder, 'in.y4m')
  const output = join(folder, 'out.obu')
  writeFileSync(input, y4m(row))
  const { frames = 1 } = row
  const kind = frames > 1 ? [] : ['--allintra']
  const still = [...kind, `--limit=${frames}`, '--obu', '--end-usage=q', '--threads=1']
  const format = [`--bit-depth=${row.depth}`, `--profile=${profileOf(row)}`]
  if (row.sampling === 'mono') format.push('--monochrome')
  const speed = row.options.includes('--cpu-used') ? [] : ['--cpu-used=4']
  expect(run('aomenc', [...still, ...format, ...speed, ...row.options.split(' '), '-o', output, input])).toBe(true)
  return frames > 1 ? layered(readFileSync(output)) : readFileSync(output)
}

/** The planes that dav1d decodes, without gaps, of bytes or of u16; undefined if it refuses the units. */
export function dav1d(units: Uint8Array, wantsGrain: boolean): Buffer | undefined {
  return decode(units, (input, output) =>
    run('dav1d', [
      ...['-q', '--threads', '1', '--limit', '1', '--alllayers', '0', '--demuxer', 'section5'],
      ...['--filmgrain', wantsGrain ? '1' : '0', '-i', input, '-o', output],
    ]),
  )
}

/** Decodes with aomdec, which leaves film grain out. */
export function aomdec(units: Uint8Array): Buffer | undefined {
  return decode(units, (input, output) =>
    run('aomdec', ['--rawvideo', '--limit=1', '--skip-film-grain', '-o', output, input]),
  )
}

function decode(units: Uint8Array, run: (input: string, output: string) => boolean): Buffer | undefined {
  const input = join(folder, 'in.obu')
  const output = join(folder, 'out.yuv')
  rmSync(output, { force: true })
  writeFileSync(input, units)
  return run(input, output) && existsSync(output) ? readFileSync(output) : undefined
}
