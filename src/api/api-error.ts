import * as z from 'zod'
import { ERROR_CODES } from '../errors.ts'

/** The specification's ApiError. `documentation_url` is one of the additional properties it allows. */
export const ApiError = z
  .object({
    success: z.literal(false),
    error: z.enum(ERROR_CODES).describe('The stable code of the error.'),
    message: z.string().describe('A sentence that tells what to change. Its wording may change.'),
    request_id: z.uuid().describe('The X-Request-ID of the answer.'),
    documentation_url: z.url().describe('The documentation of this error: its cause, and what to do.'),
  })
  .meta({ id: 'ApiError', description: 'Why a request was refused. More properties may be added.' })

export type ApiError = z.infer<typeof ApiError>
