import { createAdmission } from '../../src/http/body/admission.ts'
import type { Incoming } from '../../src/http/body/buffered-body.ts'
import { BODY_ADMISSION } from '../../src/limits.ts'
import { isolateClock } from '../../src/time.ts'

/** Returns a request as handlers receive it, alone in its isolate. */
export function incoming(request: Request): Incoming {
  const sender = { client: 'test', expectedBytes: BODY_ADMISSION.largeBudgetBytes, signal: request.signal }
  return { request, memory: createAdmission(BODY_ADMISSION, isolateClock).open(sender) }
}
