import { readFile } from 'node:fs/promises'
import { RequestFailed, UsageError } from '../problems.ts'
import { readInput } from './standard-input.ts'

/** URLs as they are given: one by one, as files with one a line, or `-` for standard input, on which `signal` ends the waiting. */
export async function readUrls(sources: readonly string[], signal: AbortSignal): Promise<string[]> {
  const lists = await Promise.all(sources.map((source) => readSource(source, signal)))
  return lists.flat()
}

async function readSource(source: string, signal: AbortSignal): Promise<string[]> {
  if (/^https?:/i.test(source)) return [source]
  if (source === '-') return linesOf((await readInput(signal)).toString())
  try {
    return linesOf(await readFile(source, 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new UsageError(`"${source}" is neither a URL nor a file`)
    }
    throw new RequestFailed(`${source}: the file cannot be read`)
  }
}

/** The lines but empty ones, comments, and what `upload` prints besides show URLs: a management link goes nowhere. */
function linesOf(list: string): string[] {
  return list
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(?:#|gallery: |manage: )/.test(line))
}
