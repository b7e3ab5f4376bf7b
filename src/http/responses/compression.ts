// The content codings that the runtime supports, the smaller first.
const ENCODINGS = ['br', 'gzip'] as const

/**
 * Returns the headers with which the runtime compresses a response in a coding that the client accepts (RFC 9110,
 * 12.5.3). `vary` names other headers that the response depends on.
 */
export function compression(request: Request, vary?: string): Record<string, string> {
  const accepted = (request.headers.get('Accept-Encoding') ?? '').toLowerCase().split(',')
  const encoding = ENCODINGS.find((name) => accepted.some((range) => takes(range, name)))
  return {
    Vary: ['Accept-Encoding', ...(vary ? [vary] : [])].join(', '),
    ...(encoding ? { 'Content-Encoding': encoding } : {}),
  }
}

/** Whether an element of Accept-Encoding, such as `gzip;q=0.5`, names this coding with a weight above 0. */
function takes(range: string, encoding: string): boolean {
  const [name, quality = 'q=1'] = range.split(';').map((part) => part.trim())
  return name === encoding && !/^q=0(?:\.0*)?$/.test(quality)
}
