// Reads statistics of a process from Linux (proc_pid_stat(5), proc_pid_status(5)).
import { readdirSync, readFileSync } from 'node:fs'

/** sysconf(_SC_CLK_TCK) is 100 on all platforms that Node.js runs on. */
const TICK_MS = 10

/** The process id of the workerd that a process has started. */
export function workerdOf(pid: number) {
  const found = readdirSync('/proc').find((entry) => {
    try {
      return (
        /^[0-9]+$/.test(entry) &&
        statOf(entry)[1] === String(pid) &&
        /workerd/.test(readFileSync(`/proc/${entry}/cmdline`, 'utf8'))
      )
    } catch {
      return false
    }
  })
  if (found === undefined) throw new Error(`process ${pid} has started no workerd`)
  return Number(found)
}

/** The CPU that all threads of a process have used so far, in milliseconds. */
export function cpuMs(pid: number) {
  const stat = statOf(pid)
  return (Number(stat[11]) + Number(stat[12])) * TICK_MS
}

/** A field of its memory in MB. */
export function memory(pid: number, field: 'VmRSS' | 'VmHWM') {
  return Math.round(memoryBytes(pid, field) / 1_000_000)
}

/** A field of its memory in bytes. */
export function memoryBytes(pid: number, field: 'VmRSS' | 'VmHWM') {
  const kibibytes = new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kibibytes) * 1024
}

/** The fields after the name, which may hold blanks itself. */
function statOf(pid: number | string) {
  return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
}
