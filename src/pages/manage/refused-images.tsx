import { ERRORS, type ErrorCode } from '../../errors.ts'
import { FileName } from '../shell/file-name.tsx'
import { formatPlural } from '../shell/formatting.ts'
import type { Language } from '../shell/language.ts'
import { messagesIn } from '../shell/messages.ts'
import {
  denialOf,
  describeFailure,
  type ErrorResponse,
  type FailureWords,
  failureOf,
} from '../upload/upload-failure.ts'

/** An image that was not stored, and the response that it would have had alone. */
export interface RefusedImage {
  name: string
  error: ErrorResponse
}

/** Returns an image that was not stored for this error; `text` is the sentence of the response. */
export function refusedImage(name: string, code: ErrorCode, text = ''): RefusedImage {
  return { name, error: { status: ERRORS[code].status, code, text } }
}

interface RefusedImagesProps {
  language: Language
  refused: readonly RefusedImage[]
  /** The number of images that were not stored, if only that is known. */
  count?: number | undefined
  failures: FailureWords
}

/** Lists images that were not stored, each with the reason. The pages' scripts add to it. */
export function RefusedImages({ language, refused, count = refused.length, failures }: RefusedImagesProps) {
  return (
    <div class="error" id="refused" hidden={count === 0}>
      <p role="alert">{count > 0 && formatPlural(language, messagesIn(language).upload.someFailed, count)}</p>
      <ul class="refused-images">
        {refused.map(({ name, error }) => (
          <li>
            <FileName name={name} />
            <span>{describeFailure(failures, { failure: failureOf(error), ...denialOf(error) })}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
