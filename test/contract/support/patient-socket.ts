import { Socket } from 'node:net'

type Done = (error?: Error | null) => void

/**
 * Connects to a service that may respond and close the connection before it has read the whole request. By default
 * Node.js drops the response if it notices the broken pipe first. This socket keeps reading to the end.
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
