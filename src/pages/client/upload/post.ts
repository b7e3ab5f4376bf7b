/** An answer of the service. */
export interface Answer {
  /** 0 if there was no answer: the connection broke, or the request was aborted. */
  status: number
  text: string
  /** When to come again: the Retry-After field, as it came. */
  retryAfter: string | null
}

/** How a form is sent. */
export interface PostOptions {
  headers?: Record<string, string>
  /** Called when the request begins and with each progress, with the sent share from 0 to 1. */
  onSent?: (share: number) => void
  signal?: AbortSignal
}

/** Sends a form to the service. Uses XMLHttpRequest, since fetch does not report upload progress. */
export function post(path: string, form: FormData | URLSearchParams, options: PostOptions = {}): Promise<Answer> {
  const { headers = {}, onSent, signal } = options
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.open('POST', path)
    request.setRequestHeader('Accept', 'application/json')
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      if (loaded > 0) onSent?.(loaded / total)
    })
    request.upload.addEventListener('load', () => onSent?.(1))
    request.addEventListener('loadend', () => {
      const { status, responseText: text } = request
      resolve({ status, text, retryAfter: request.getResponseHeader('Retry-After') })
    })
    const giveUp = () => request.abort()
    signal?.addEventListener('abort', giveUp)
    request.addEventListener('loadend', () => signal?.removeEventListener('abort', giveUp))
    request.send(form)
  })
}
