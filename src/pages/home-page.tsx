import {
  IMAGE_MAX_PIXELS,
  THUMBNAIL_MAX_SIZE_PX,
  THUMBNAIL_MIN_SIZE_PX,
  UPLOAD_MAX_BYTES,
  UPLOAD_TOKEN_LIFETIME_MS,
} from '../limits.ts'
import { renderDocument } from './document.tsx'
import { formatMegabytes, formatNumber } from './formatting.ts'
import type { Language } from './language.ts'
import { MESSAGES } from './messages.ts'

const FORMAT_NAMES = ['JPEG', 'PNG', 'GIF', 'WebP', 'AVIF']
const MEGAPIXEL = 1_000_000
const HOUR_MS = 3_600_000

export interface HomePageProps {
  language: Language
  /** Absolute: where a POST uploads a picture. */
  uploadUrl: string
}

/** The front page: what the service is, what it takes, and how a program uploads. */
export function homePage({ language, uploadUrl }: HomePageProps): string {
  const messages = MESSAGES[language].home
  const number = (value: number) => formatNumber(language, value)
  const formats = new Intl.ListFormat(language, { type: 'unit' }).format(FORMAT_NAMES)
  return renderDocument({
    language,
    title: 'Tintype',
    head: <meta name="description" content={messages.summary} />,
    children: (
      <>
        <h1>{messages.heading}</h1>
        <p>{messages.summary}</p>
        <h2>{messages.formatsAndLimits}</h2>
        <ul>
          <li>{messages.formats(formats)}</li>
          <li>{messages.fileSize(formatMegabytes(language, UPLOAD_MAX_BYTES))}</li>
          <li>{messages.pixelCount(number(IMAGE_MAX_PIXELS / MEGAPIXEL))}</li>
          <li>{messages.thumbnails(number(THUMBNAIL_MIN_SIZE_PX), number(THUMBNAIL_MAX_SIZE_PX))}</li>
          <li>{messages.galleries(number(UPLOAD_TOKEN_LIFETIME_MS / HOUR_MS))}</li>
        </ul>
        <h2>{messages.api}</h2>
        <p>{messages.apiSummary}</p>
        <pre>
          <code>{`curl -F img=@photo.jpg -F content_type=0 ${uploadUrl}`}</code>
        </pre>
      </>
    ),
  })
}
