import { copyAndOpen } from '../copy-and-open.ts'
import { formatUpload } from '../files/formats.ts'
import { findImage, type Image } from '../files/images.ts'
import { createRecorder, entryOf } from '../history.ts'
import { RequestFailed } from '../problems.ts'
import { withoutManageUrl } from '../requests/responses.ts'
import type { ExitCode, Session } from '../session.ts'
import type { CoverInvocation } from '../terminal/arguments.ts'
import { createProgress } from '../terminal/progress.ts'
import { commonTexts, expiryTexts, formFile, requestsManage, tellWhen } from '../upload-form.ts'

/** Uploads a cover of one image or two. */
export async function cover(invocation: CoverInvocation, session: Session): Promise<ExitCode> {
  const { screen, apiOf } = session
  const { left, right, host, manage, format } = invocation
  const recorder = createRecorder(invocation.history, invocation.historyFile, screen.problem)
  const leftImage = await requireImage(left)
  const rightImage = right === undefined ? undefined : await requireImage(right)
  const files = [
    await formFile('img_left', leftImage),
    ...(rightImage ? [await formFile('img_right', rightImage)] : []),
  ]
  const texts = {
    ...commonTexts(invocation),
    ...(requestsManage(invocation) && { include_manage_url: '1' }),
    ...expiryTexts(invocation.expiresInS),
  }

  const progress = createProgress(screen, 1, leftImage.bytes + (rightImage?.bytes ?? 0))
  const { sent, end } = progress.begin(left, leftImage.bytes + (rightImage?.bytes ?? 0))
  try {
    const received = await apiOf(host).uploadCover(texts, files, { onSent: sent })
    end('uploaded')
    progress.stop()
    const upload = manage ? received : withoutManageUrl(received)
    if (format === 'json') screen.result(JSON.stringify(upload.fields, undefined, 2))
    else screen.result(formatUpload(upload, format))
    if (format !== 'json' && upload.manageUrl !== undefined) screen.result(`manage: ${upload.manageUrl}`)
    recorder.record({ ...entryOf(received), kind: 'cover', file: left })
    const text = formatUpload(upload, format === 'json' ? 'link' : format)
    const isTimed = tellWhen(invocation.expiresInS, [upload.expiresAt], screen)
    const isCopied = await copyAndOpen(invocation, { text, page: upload.showUrl }, session)
    return isTimed && isCopied && recorder.isComplete() ? 0 : 1
  } finally {
    progress.stop()
  }
}

async function requireImage(name: string): Promise<Image> {
  const found = await findImage(name)
  if ('why' in found) throw new RequestFailed(`${name}: ${found.why}`)
  return found
}
