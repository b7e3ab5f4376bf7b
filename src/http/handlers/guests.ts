import { refusedName } from '../../domain/content/filename.ts'
import { requireManagedGallery } from '../../domain/content/management.ts'
import { Failure } from '../../domain/failure.ts'
import * as domain from '../../domain/galleries/guests.ts'
import { galleryUrl, guestUrl } from '../../domain/ids/links.ts'
import { receiveEach } from '../../domain/uploads/share.ts'
import { ERRORS } from '../../errors.ts'
import { GUEST_LINK_FORM } from '../../forms.ts'
import { SHARED_MAX_PIXELS } from '../../limits.ts'
import { type AddImagesPageProps, addImagesPage, closedLinkPage } from '../../pages/manage/add-images-page.tsx'
import { refusedImage } from '../../pages/manage/refused-images.tsx'
import { keepChosen } from '../../pages/shell/page-context.ts'
import { GUEST_CLOSE_RESPONSE } from '../../responses.ts'
import * as routes from '../../routes.ts'
import { SECOND_MS } from '../../units.ts'
import { valuesOf } from '../body/form-values.ts'
import { readTextOrJsonForm } from '../body/json-form.ts'
import { type AppContext, pathParameter } from '../context.ts'
import { expiryRulesOf } from '../expiry.ts'
import { chargeClient, pixelCharges, uploadCharges } from '../limits/client-limits.ts'
import { requireDiskRoom } from '../limits/disk-room.ts'
import { countRefusal } from '../responses/failures.ts'
import { json } from '../responses/json.ts'
import { page } from '../responses/page-response.ts'
import { guestLinkResponse } from '../responses/representations.ts'
import { writeResponse } from '../responses/write-response.ts'
import { createArrival, readSharedUploads, receiveCounted } from './uploads.ts'

/** `POST /management/{token}/guests`: makes the guest link of a gallery. The token is checked before the body (D17). */
export async function createGuestLink(c: AppContext): Promise<Response> {
  const { store, incoming, nowMs, host } = c.var
  const token = pathParameter(c, 'token')
  await chargeClient(c, { changes: 1 })
  const gallery = await requireManagedGallery(store, token, nowMs)
  const { max_images: maxImages, expires_in: expiresIn } = valuesOf(
    GUEST_LINK_FORM,
    await readTextOrJsonForm(incoming, GUEST_LINK_FORM, { optional: true }),
  )
  const limits = {
    maxImages: maxImages || undefined,
    expiresAtMs: expiresIn === 0 ? undefined : nowMs + expiresIn * SECOND_MS,
  }
  return json(c, guestLinkResponse(host.site, await domain.createGuestLink(store, gallery, token, limits, nowMs)))
}

/** `POST /management/{token}/guests/close`. */
export async function closeGuestLink(c: AppContext): Promise<Response> {
  const { store, nowMs } = c.var
  await chargeClient(c, { changes: 1 })
  const gallery = await requireManagedGallery(store, pathParameter(c, 'token'), nowMs)
  await domain.closeGuestLink(store, gallery, nowMs)
  return json(c, writeResponse(GUEST_CLOSE_RESPONSE, {}))
}

/** `GET /add/<guest token>`: the page on which a guest adds images. */
export function serveAddPage(c: AppContext): Promise<Response> {
  return orClosedPage(c, async () => {
    const { managed } = await domain.requireGuestGallery(c.var.store, pathParameter(c, 'token'), c.var.nowMs)
    return addPage(c, 200, managed)
  })
}

/**
 * `POST /add/<guest token>`: the form of that page, sent without a script. Each image is stored or counted as failed, and the page says
 * how many. If the service fails after it has stored some, the others count as failed: a guest who sent all again would add those twice.
 */
export function submitAddPage(c: AppContext): Promise<Response> {
  return orClosedPage(c, async () => {
    const { store, incoming, nowMs, logProblem } = c.var
    await chargeClient(c, uploadCharges(c.req.raw))
    const gallery = await domain.requireGuestGallery(store, pathParameter(c, 'token'), nowMs)
    await requireDiskRoom(c)
    const uploads = await readSharedUploads(incoming, expiryRulesOf(c))
    const files = uploads.map(({ file }) => file)
    if (uploads.length > 1) await chargeClient(c, { uploads: uploads.length - 1 })
    await chargeClient(c, pixelCharges(files, SHARED_MAX_PIXELS))
    const { stored, refused, error } = await receiveEach(uploads, (upload) =>
      receiveCounted(c, { ...upload, gallery }, createArrival(c)),
    )
    if (error !== undefined) {
      if (stored === 0) throw error
      logProblem('store all images of a guest', error)
    }
    for (const { failure } of refused) countRefusal(failure.code)
    const last = refused.at(-1)
    const status = last && stored === 0 ? ERRORS[last.failure.code].status : 200
    return addPage(c, status, gallery.managed, {
      added: stored,
      refused: [
        ...refused.map(({ filename, failure: { code, message } }) =>
          refusedImage(refusedName(filename), code, message),
        ),
        ...files
          .slice(stored + refused.length)
          .map(({ filename }) => refusedImage(refusedName(filename), 'internal_error')),
      ],
    })
  })
}

function addPage(
  c: AppContext,
  status: number,
  { hash, name, finalizedAt }: { hash: string; name: string; finalizedAt: number | null },
  result: Pick<AddImagesPageProps, 'added' | 'refused'> = {},
): Response {
  const { site } = c.var.host
  const token = pathParameter(c, 'token')
  return page(c, status, (context) =>
    addImagesPage({
      context: { ...context, address: guestUrl(site, token) },
      name,
      galleryUrl: finalizedAt === null ? undefined : galleryUrl(site, hash),
      actionUrl: keepChosen(context, guestUrl(site, token)),
      uploadPath: routes.pathOf(routes.guestImages, { token }),
      ...result,
    }),
  )
}

/** Responds with a page that says so if the link accepts no more images. */
async function orClosedPage(c: AppContext, respond: () => Promise<Response>): Promise<Response> {
  try {
    return await respond()
  } catch (error) {
    if (!(error instanceof Failure) || !CLOSED.has(error.code)) throw error
    countRefusal(error.code)
    return page(c, ERRORS[error.code].status, (context) =>
      closedLinkPage({ context: { ...context, address: undefined } }),
    )
  }
}

const CLOSED: ReadonlySet<string> = new Set(['guest_link_closed', 'guest_link_full', 'gallery_full'])
