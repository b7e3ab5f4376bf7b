/** A response of the service. */
export interface ServiceResponse {
  /** 0 if there was no response: the connection broke, or the request was aborted. */
  status: number
  text: string
  /** The code of an error: the X-Error-Code field. */
  code: string | null
  /** The Retry-After field. */
  retryAfter: string | null
}

/** Options of a request. */
export interface PostOptions {
  headers?: Record<string, string>
  /** Called when the request begins and with each progress, with the sent share from 0 to 1. */
  onSent?: (share: number) => void
  signal?: AbortSignal
  /** Waits for the response to a request that was sent whole, even after an abort: the private link is in that response. */
  keepsResponse?: boolean
}

/** Sends a form to the service. Uses XMLHttpRequest, since fetch does not report upload progress. */
export function post(
  path: string,
  form: FormData | URLSearchParams,
  options: PostOptions = {},
): Promise<ServiceResponse> {
  const { headers = {}, onSent, signal, keepsResponse = false } = options
  let isSent = false
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.open('POST', path)
    request.setRequestHeader('Accept', 'application/json')
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      if (loaded > 0) onSent?.(loaded / total)
    })
    request.addEventListener('loadend', () => {
      const { status, responseText: text } = request
      resolve({
        status,
        text,
        code: request.getResponseHeader('X-Error-Code'),
        retryAfter: request.getResponseHeader('Retry-After'),
      })
    })
    request.upload.addEventListener('load', () => {
      isSent = true
      onSent?.(1)
    })
    const giveUp = () => {
      if (!isSent || !keepsResponse) request.abort()
    }
    signal?.addEventListener('abort', giveUp)
    request.addEventListener('loadend', () => signal?.removeEventListener('abort', giveUp))
    request.send(form)
  })
}
