import { Socket } from 'node:net'

type Done = (error?: Error | null) => void

/**
 * Connects to a service that may answer and hang up before it has read all that is sent. By itself Node.js then drops the
 * answer, if the broken pipe is noticed first; this socket reads on, to the answer or the end.
 */
export function connectPatiently(host: string, port: number): Socket {
  return new PatientSocket().connect(port, host)
}

class PatientSocket extends Socket {
  override _write(chunk: unknown, encoding: BufferEncoding, done: Done): void {
    super._write(chunk, encoding, unlessBroken(done))
  }

  override _writev(chunks: { chunk: unknown; encoding: BufferEncoding }[], done: Done): void {
    super._writev?.(chunks, unlessBroken(done))
  }
}

function unlessBroken(done: Done): Done {
  return (error) => {
    const code = error && 'code' in error ? error.code : undefined
    done(code === 'EPIPE' || code === 'ECONNRESET' ? null : error)
  }
}
