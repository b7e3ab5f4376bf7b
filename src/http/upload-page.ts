import { Failure, type FailureCode } from '../domain/failure.ts'
import { manageUrl, originalUrl, type Site, showUrl, thumbnailUrl, uploadUrl } from '../domain/links.ts'
import type { Receipt } from '../domain/store-upload.ts'
import { receiveImage } from '../domain/upload.ts'
import type { PageContext } from '../pages/page-context.ts'
import { describeUploadError, type UploadError } from '../pages/upload-error.ts'
import { uploadPage } from '../pages/upload-page.tsx'
import { uploadedPage } from '../pages/uploaded-page.tsx'
import { chargeClient, uploadCharges } from './client-limits.ts'
import type { AppContext } from './context.ts'
import { requireDiskRoom } from './disk-room.ts'
import { countRefusal, STATUS } from './failures.ts'
import { page } from './page-response.ts'
import { countUpload, createArrival, readImageUpload } from './uploads.ts'

/** The failures that the user can correct in the form. */
const RECOVERABLE: Partial<Record<FailureCode, UploadError>> = {
  missing_field: 'missing',
  file_too_large: 'tooLarge',
  body_too_large: 'tooLarge',
  unsupported_image_format: 'notAPicture',
  unreadable_image: 'damaged',
  image_too_large: 'damaged',
}

/** `POST /upload`: the upload page's form, sent without a script. If the picture is refused, the answer is the form again. */
export async function uploadFromPage(c: AppContext): Promise<Response> {
  const arrival = createArrival(c)
  try {
    await chargeClient(c, uploadCharges(c.req.raw))
    await requireDiskRoom(c)
    const upload = await readImageUpload(c.var.incoming, { content_type: '0' })
    const receipt = await countUpload('image', receiveImage(c.var.store, upload, arrival))
    return page(c, 200, (context) => uploadedPage(uploadedProps(context, c.var.host.site, receipt)))
  } catch (error) {
    const recoverable = error instanceof Failure ? RECOVERABLE[error.code] : undefined
    if (!(error instanceof Failure) || !recoverable) throw error
    countRefusal(error.code)
    const render = (context: PageContext) =>
      uploadPage({
        context,
        uploadUrl: uploadUrl(c.var.host.site),
        error: describeUploadError(context.language, recoverable),
      })
    return page(c, STATUS[error.code], render, {}, { fetchesPictures: true })
  }
}

/**
 * `POST /share`: a picture from a phone's share sheet, where the service worker has not taken it to the upload page. It has a
 * private link, and the answer leads there: a reload sends nothing again.
 */
export async function uploadShared(c: AppContext): Promise<Response> {
  const arrival = createArrival(c)
  await chargeClient(c, uploadCharges(c.req.raw))
  await requireDiskRoom(c)
  const upload = await readImageUpload(c.var.incoming, { content_type: '0', optimize_for_web: '1' })
  const receiving = receiveImage(c.var.store, { ...upload, wantsManagementToken: true }, arrival)
  const { managementToken } = await countUpload('image', receiving)
  if (managementToken === undefined) throw new Error('a shared picture has no management token')
  return c.redirect(manageUrl(c.var.host.site, managementToken), 303)
}

function uploadedProps(context: PageContext, site: Site, { image, managementToken, optimization }: Receipt) {
  return {
    context,
    pageUrl: showUrl(site, image),
    originalUrl: originalUrl(site, image),
    thumbnailUrl: thumbnailUrl(site, image),
    thumbWidth: image.thumbnailWidth,
    thumbHeight: image.thumbnailHeight,
    name: image.name,
    manageUrl: managementToken && manageUrl(site, managementToken),
    optimization: optimization && {
      applied: optimization.applied,
      originalBytes: optimization.sourceBytes,
      storedBytes: optimization.storedBytes,
    },
  }
}
