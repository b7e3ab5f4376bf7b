import { REDRAW_MS } from '../limits.ts'
import type { Screen } from './screen.ts'

/** Reports the progress of an upload: a progress bar on a terminal, and elsewhere a line for each file. */
export interface Progress {
  /** A file goes; the function takes how many of its bytes have gone. */
  begin: (name: string, bytes: number) => { sent: (bytes: number) => void; end: (how: string, more?: string) => void }
  stop: () => void
}

/** Progress of `files` files which have `bytes` bytes together. */
export function createProgress(screen: Screen, files: number, bytes: number): Progress {
  const going = new Set<{ name: string; bytes: number; sent: number }>()
  let ended = 0
  let endedBytes = 0

  const draw = () => {
    const sent = endedBytes + [...going].reduce((sum, file) => sum + file.sent, 0)
    screen.draw([
      ...[...going].map((file) => `  ${bar(file.sent, file.bytes)} ${file.name}`),
      `  ${ended} of ${files} files, ${megabytes(sent)} of ${megabytes(bytes)} MB`,
    ])
  }
  const timer = screen.live ? setInterval(draw, REDRAW_MS) : undefined
  return {
    begin: (name, size) => {
      const file = { name, bytes: size, sent: 0 }
      going.add(file)
      return {
        // The body is a little longer than the file.
        sent: (so) => {
          file.sent = Math.min(so, size)
        },
        end: (how, more) => {
          going.delete(file)
          ended++
          endedBytes += size
          draw()
          screen.note(`${how} ${name} (${ended} of ${files})${more === undefined ? '' : `, ${more}`}`)
        },
      }
    },
    stop: () => {
      clearInterval(timer)
      screen.draw([])
    },
  }
}

function bar(sent: number, bytes: number): string {
  const part = bytes === 0 ? 1 : sent / bytes
  const full = Math.round(part * 20)
  return `[${'#'.repeat(full)}${'.'.repeat(20 - full)}] ${String(Math.floor(part * 100)).padStart(3)} %`
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1)
}
