import { printable } from '../printable.ts'

/** Where a command writes: results to standard output, everything else to standard error. */
export interface Screen {
  /** A line of results. */
  result: (line: string) => void
  /** A line of progress; not with --quiet. */
  note: (line: string) => void
  /** A line about what went wrong. */
  problem: (line: string) => void
  /** Shows the current progress: redrawn in place on a terminal, nothing elsewhere. */
  draw: (lines: readonly string[]) => void
  /** Whether `draw` writes to a terminal. */
  live: boolean
}

/** The assumed width of a terminal that does not report its own. */
const NARROW = 80

const UP_AND_CLEAR = '\x1b[1A\x1b[2K'

/** The standard streams as a screen. `quiet` leaves problems and results alone. */
export function createScreen(quiet: boolean): Screen {
  const { stdout, stderr } = process
  const live = stderr.isTTY && !quiet
  let drawn: readonly string[] = []

  const wipe = () => {
    stderr.write(UP_AND_CLEAR.repeat(drawn.length))
  }
  const draw = (lines: readonly string[]) => {
    if (!live) return
    wipe()
    // A line that wraps would be two when it is wiped.
    drawn = lines.map((line) => printable(line).slice(0, (stderr.columns || NARROW) - 1))
    stderr.write(drawn.map((line) => `${line}\n`).join(''))
  }
  /** Standard output may be the same terminal. */
  const above = (stream: NodeJS.WriteStream, text: string) => {
    if (drawn.length > 0) wipe()
    stream.write(`${text}\n`)
    if (drawn.length > 0) stderr.write(drawn.map((line) => `${line}\n`).join(''))
  }
  return {
    live,
    draw,
    result: (line) => above(stdout, line),
    note: (line) => quiet || above(stderr, printable(line)),
    problem: (line) => above(stderr, printable(line)),
  }
}
