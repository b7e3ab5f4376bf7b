import type { CoverInvocation } from '../arguments.ts'
import { formatUpload } from '../formats.ts'
import { findImage, type Image } from '../images.ts'
import { RequestFailed } from '../problems.ts'
import { createProgress } from '../progress.ts'
import type { ExitCode, Session } from '../session.ts'
import { commonTexts, formFile } from '../upload-form.ts'

/** Uploads a cover of one image or two. */
export async function cover(invocation: CoverInvocation, { screen, apiOf }: Session): Promise<ExitCode> {
  const { left, right, host, manage, format } = invocation
  const leftImage = await requireImage(left)
  const rightImage = right === undefined ? undefined : await requireImage(right)
  const files = [
    await formFile('img_left', leftImage),
    ...(rightImage ? [await formFile('img_right', rightImage)] : []),
  ]
  const texts = { ...commonTexts(invocation), ...(manage && { include_manage_url: '1' }) }

  const progress = createProgress(screen, 1, leftImage.bytes + (rightImage?.bytes ?? 0))
  const { sent, end } = progress.begin(left, leftImage.bytes + (rightImage?.bytes ?? 0))
  try {
    const upload = await apiOf(host).uploadCover(texts, files, { onSent: sent })
    end('uploaded')
    progress.stop()
    if (format === 'json') {
      screen.result(JSON.stringify(upload.fields, undefined, 2))
      return 0
    }
    screen.result(formatUpload(upload, format))
    if (upload.manageUrl !== undefined) screen.result(`manage: ${upload.manageUrl}`)
    return 0
  } finally {
    progress.stop()
  }
}

async function requireImage(name: string): Promise<Image> {
  const found = await findImage(name)
  if ('why' in found) throw new RequestFailed(`${name}: ${found.why}`)
  return found
}
