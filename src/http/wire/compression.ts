// The codings the runtime can make, the smaller first.
const ENCODINGS = ['br', 'gzip'] as const

/**
 * The headers that let the runtime compress an answer as the client takes it (RFC 9110, 12.5.3). `vary` names what else the
 * answer depends on.
 */
export function compression(request: Request, vary?: string): Record<string, string> {
  const accepted = (request.headers.get('Accept-Encoding') ?? '').toLowerCase().split(',')
  const encoding = ENCODINGS.find((name) => accepted.some((range) => takes(range, name)))
  return {
    Vary: ['Accept-Encoding', ...(vary ? [vary] : [])].join(', '),
    ...(encoding ? { 'Content-Encoding': encoding } : {}),
  }
}

/** Whether an element of Accept-Encoding, such as `gzip;q=0.5`, names this coding and does not refuse it. */
function takes(range: string, encoding: string): boolean {
  const [name, quality = 'q=1'] = range.split(';').map((part) => part.trim())
  return name === encoding && !/^q=0(?:\.0*)?$/.test(quality)
}
