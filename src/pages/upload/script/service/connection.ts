const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 30_000

/** State of a connection that may be lost and come back. */
export interface Connection {
  /** Reports that a request got no response. The promise, shared by all, resolves when it is worth another try. */
  lost: () => Promise<void>
  /** Reports that a request got a response. */
  found: () => void
  /** Reports that bytes are being sent: the connection is back, though nobody knows yet for how long. */
  moves: () => void
}

/**
 * Tries again when the browser reports that it is online, and after 1 s, 2 s, 4 s and so on, up to 30 s. A browser knows only
 * its own network. `onChange` is called when the connection is lost, and when it is back.
 */
export function watchConnection(onChange: (isLost: boolean) => void): Connection {
  let waitMs = FIRST_WAIT_MS
  let isLost = false
  let waiting: Promise<void> | undefined

  function tell(lost: boolean): void {
    if (lost === isLost) return
    isLost = lost
    onChange(lost)
  }

  return {
    lost() {
      tell(true)
      waiting ??= new Promise<void>((resolve) => {
        const again = () => {
          clearTimeout(timer)
          window.removeEventListener('online', again)
          waiting = undefined
          resolve()
        }
        const timer = setTimeout(again, waitMs)
        window.addEventListener('online', again)
        waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)
      })
      return waiting
    },
    moves: () => tell(false),
    found() {
      waitMs = FIRST_WAIT_MS
      tell(false)
    },
  }
}
