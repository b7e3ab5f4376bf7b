/** What sets the service's clock. */
export interface ClockSettings {
  /** Milliseconds added to what the service takes for now (D3); absent in production. */
  CLOCK_OFFSET_MS?: string
}

/** Now, in milliseconds since 1970, as the service sees it. */
export function nowMs(settings: ClockSettings): number {
  return Date.now() + Number(settings.CLOCK_OFFSET_MS ?? 0)
}
