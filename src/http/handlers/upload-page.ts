import { nameForPeople } from '../../domain/content/filename.ts'
import { Failure } from '../../domain/failure.ts'
import { manageUrl, originalUrl, type Site, showUrl, thumbnailUrl, uploadUrl } from '../../domain/ids/links.ts'
import { type SharedImages, shareGallery } from '../../domain/uploads/share.ts'
import type { Arrival, Receipt } from '../../domain/uploads/store-upload.ts'
import type { ImageUpload } from '../../domain/uploads/upload.ts'
import { ERRORS, uploadReasonOf } from '../../errors.ts'
import { SHARED_MAX_PIXELS } from '../../limits.ts'
import type { PageContext } from '../../pages/shell/page-context.ts'
import { describeUploadError } from '../../pages/upload/upload-error.ts'
import { uploadPage } from '../../pages/upload/upload-page.tsx'
import { uploadedPage } from '../../pages/upload/uploaded-page.tsx'
import type { AppContext } from '../context.ts'
import { expiryRulesOf } from '../expiry.ts'
import { chargeClient, chargePixels, pixelCharges, uploadCharges } from '../limits/client-limits.ts'
import { requireDiskRoom } from '../limits/disk-room.ts'
import { requireHuman, turnstileKeyOf } from '../middleware/human-check.ts'
import { requireUploadKey } from '../middleware/upload-keys.ts'
import { countRefusal } from '../responses/failures.ts'
import { page } from '../responses/page-response.ts'
import { shownExpiry } from './pages.ts'
import { createArrival, readImageUpload, readSharedUploads, receiveCounted } from './uploads.ts'

/**
 * `POST /upload`: the upload page's form, sent without a script. If the image is refused, the response is the form
 * again.
 */
export function uploadFromPage(c: AppContext): Promise<Response> {
  const arrival = createArrival(c)
  return orFormAgain(c, async () => {
    await requireUploadKey(c)
    await requireHuman(c, true)
    await chargeClient(c, uploadCharges(c.req.raw))
    await requireDiskRoom(c)
    const upload = await readImageUpload(c.var.incoming, { content_type: '0' }, expiryRulesOf(c))
    await chargePixels(c, [upload.file])
    const receipt = await receiveCounted(c, upload, arrival)
    return page(c, 200, (context) =>
      uploadedPage({ ...uploadedProps(context, c.var.host.site, receipt), expiry: shownExpiry(c, receipt.expiresAt) }),
    )
  })
}

/**
 * Returns the response or, if the images are refused for a reason that another choice fixes, the form with that reason.
 */
async function orFormAgain(c: AppContext, upload: () => Promise<Response>): Promise<Response> {
  try {
    return await upload()
  } catch (error) {
    const reason = error instanceof Failure ? uploadReasonOf(error.code) : undefined
    if (!(error instanceof Failure) || !reason) throw error
    countRefusal(error.code)
    const turnstileKey = turnstileKeyOf(c)
    const render = (context: PageContext) =>
      uploadPage({
        context,
        uploadUrl: uploadUrl(c.var.host.site),
        error: describeUploadError(context.language, reason, error.message),
        expiry: expiryRulesOf(c),
        turnstileKey,
      })
    const options = { fetchesImages: true, usesTurnstile: turnstileKey !== undefined }
    return page(c, ERRORS[error.code].status, render, {}, options)
  }
}

/**
 * `POST /share`: images from a phone's share sheet, if the service worker has not taken them to the upload page.
 * Several become a gallery. The response redirects to the private link, where the number of failures is shown: a reload
 * sends nothing again. If all failed, the response is the form.
 */
export function uploadShared(c: AppContext): Promise<Response> {
  const first = createArrival(c)
  return orFormAgain(c, async () => {
    await requireUploadKey(c)
    await requireHuman(c, true)
    await chargeClient(c, uploadCharges(c.req.raw))
    await requireDiskRoom(c)
    const uploads = await readSharedUploads(c.var.incoming, expiryRulesOf(c))
    const [upload] = uploads
    const shared: SharedImages =
      upload && uploads.length === 1
        ? await shareOne(c, { ...upload, wantsManagementToken: true }, first)
        : await shareAll(c, uploads)
    const { managementToken, failed = 0 } = shared
    if (managementToken === undefined) throw new Error('what was shared has no management token')
    return c.redirect(manageUrl(c.var.host.site, managementToken) + (failed > 0 ? `?failed=${failed}` : ''), 303)
  })
}

async function shareOne(c: AppContext, upload: ImageUpload, arrival: Arrival): Promise<Receipt> {
  await chargePixels(c, [upload.file])
  return receiveCounted(c, upload, arrival)
}

/** Charged at once: the limiter would be asked for each image otherwise. */
async function shareAll(c: AppContext, uploads: readonly ImageUpload[]): Promise<SharedImages> {
  const { store, nowMs, logProblem } = c.var
  const files = uploads.map(({ file }) => file)
  await chargeClient(c, { uploads: uploads.length - 1, galleries: 1, ...pixelCharges(files, SHARED_MAX_PIXELS) })
  return shareGallery(store, uploads, {
    receive: (upload) => receiveCounted(c, upload, createArrival(c)),
    nowMs,
    logProblem,
  })
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
    title: nameForPeople(image),
    manageUrl: managementToken && manageUrl(site, managementToken),
    optimization: optimization && {
      applied: optimization.applied,
      originalBytes: optimization.sourceBytes,
      storedBytes: optimization.storedBytes,
      isConverted: optimization.converted,
      reason: optimization.reason,
    },
  }
}
