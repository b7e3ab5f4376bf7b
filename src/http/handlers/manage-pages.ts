import { normalizeCaption } from '../../domain/content/caption.ts'
import type { ContentRecord, Gallery, Image } from '../../domain/content/content.ts'
import { nameForPeople, refusedName } from '../../domain/content/filename.ts'
import {
  ContentDeleted,
  deleteGalleryImage,
  deleteManaged,
  galleryOf,
  renameManagedGallery,
  requireManaged,
  requireManagedGallery,
} from '../../domain/content/management.ts'
import { Failure } from '../../domain/failure.ts'
import { findNearestView } from '../../domain/galleries/gallery.ts'
import {
  chooseCover,
  describeGalleryImage,
  describeStandaloneImage,
  moveByOne,
} from '../../domain/galleries/gallery-changes.ts'
import { normalizeGalleryName } from '../../domain/galleries/gallery-name.ts'
import { closeGuestLink, createGuestLink, findOpenGuestLink, type GuestLimits } from '../../domain/galleries/guests.ts'
import { galleryUrl, guestUrl, imagePath, manageUrl, type Site, showUrl, thumbnailUrl } from '../../domain/ids/links.ts'
import { receiveImage } from '../../domain/uploads/upload.ts'
import { ERRORS, type ErrorCode } from '../../errors.ts'
import { GUEST_LINK_FORM } from '../../forms.ts'
import { GUEST_LINK_MAX_S, MANAGED_PAGE_IMAGES } from '../../limits.ts'
import { type ManagePageProps, manageDonePage, managePage } from '../../pages/manage/manage-page.tsx'
import { refusedImage } from '../../pages/manage/refused-images.tsx'
import { keepChosen } from '../../pages/shell/page-context.ts'
import * as routes from '../../routes.ts'
import { DAY_S, SECOND_MS } from '../../units.ts'
import { optionalInteger } from '../body/fields.ts'
import { readForm } from '../body/forms.ts'
import { afterDelete, cleanUpIfDeletedBefore } from '../cache/after-delete.ts'
import { type AppContext, pathParameter } from '../context.ts'
import { expiryRulesOf } from '../expiry.ts'
import { chargeClient, chargePixels, uploadCharges } from '../limits/client-limits.ts'
import { requireDiskRoom } from '../limits/disk-room.ts'
import { requireUploadKey } from '../middleware/upload-keys.ts'
import { countRefusal } from '../responses/failures.ts'
import { page } from '../responses/page-response.ts'
import { numberedUrl, paginationOf, requestedNumber, shownExpiry } from './pages.ts'
import { createArrival, noteUpload, readImageUpload } from './uploads.ts'

/** `GET /manage/<token>`: shows what the token can do, without doing it. */
export async function serveManagePage(c: AppContext): Promise<Response> {
  // Of what a phone has shared.
  const [failed] = /^[1-9]\d{0,3}$/.exec(c.req.query('failed') ?? '') ?? []
  const managed = await requireManaged(c.var.store, tokenOf(c), c.var.nowMs)
  return showManaged(c, 200, managed, { failed: failed === undefined ? undefined : Number(failed) })
}

/** `POST /manage/<token>`: the forms of that page. */
export async function submitManagePage(c: AppContext): Promise<Response> {
  const token = tokenOf(c)
  const managed = await cleanUpIfDeletedBefore(c, () => requireManaged(c.var.store, token, c.var.nowMs))
  const fields = ['action', 'name', 'confirm', 'image', 'caption', 'alt', 'max_images', 'days']
  const form = await readForm(c.var.incoming, fields)
  const image = form.get('image') ?? ''
  switch (form.get('action')) {
    case 'delete':
      if (!form.get('confirm')) return showManaged(c, 422, managed, { error: 'not_confirmed' })
      await afterDelete(c, await deleteManaged(c.var.store, token, c.var.nowMs))
      return page(c, 200, (context) => manageDonePage({ context, kind: managed.kind }))
    case 'delete-image':
      return deleteImageFromPage(c, galleryOf(managed), image)
    case 'edit':
      return editFromPage(c, managed, image, form)
    case 'earlier':
    case 'later':
      return changeFromPage(c, managed, () =>
        moveByOne(
          c.var.store,
          galleryOf(managed),
          image,
          form.get('action') === 'earlier' ? 'earlier' : 'later',
          c.var.nowMs,
        ),
      )
    case 'cover':
      return changeFromPage(c, managed, () => chooseCover(c.var.store, galleryOf(managed), image, c.var.nowMs))
    case 'rename':
      return renameFromPage(c, galleryOf(managed), form.get('name') ?? '')
    case 'create-guests':
      return changeGuests(c, galleryOf(managed), (gallery) =>
        createGuestLink(c.var.store, gallery, token, guestLimitsOf(c, form), c.var.nowMs),
      )
    case 'close-guests':
      return changeGuests(c, galleryOf(managed), (gallery) => closeGuestLink(c.var.store, gallery, c.var.nowMs))
    default:
      throw new Failure(
        'missing_field',
        'action must be "rename", "delete", "delete-image", "edit", "earlier", "later" or "cover"',
      )
  }
}

/** Changes the guest link of a gallery, and shows the page again. */
async function changeGuests(
  c: AppContext,
  gallery: Gallery,
  change: (gallery: Gallery) => Promise<unknown>,
): Promise<Response> {
  await chargeClient(c, { changes: 1 })
  await change(gallery)
  return showManaged(c, 200, { kind: 'gallery', gallery }, {})
}

function guestLimitsOf(c: AppContext, form: ReadonlyMap<string, string>): GuestLimits {
  const { max_images: max } = GUEST_LINK_FORM
  const maxImages = optionalInteger(form, 'max_images', max)
  const days = optionalInteger(form, 'days', { min: 0, max: Math.floor(GUEST_LINK_MAX_S / DAY_S), byDefault: 0 })
  return {
    maxImages: maxImages || undefined,
    expiresAtMs: days === 0 ? undefined : c.var.nowMs + days * DAY_S * SECOND_MS,
  }
}

async function renameFromPage(c: AppContext, gallery: Gallery, entered: string): Promise<Response> {
  await chargeClient(c, { changes: 1 })
  try {
    const name = normalizeGalleryName(entered)
    await renameManagedGallery(c.var.store, gallery, name)
    return showManaged(c, 200, { kind: 'gallery', gallery: { ...gallery, name } }, { renamedFrom: gallery.name })
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'invalid_gallery_name') throw error
    return showManaged(c, 422, { kind: 'gallery', gallery }, { error: 'invalid_name', refusedName: entered })
  }
}

/** Deletes one image of a gallery. The page stays: the gallery may have no image left. */
async function deleteImageFromPage(c: AppContext, gallery: Gallery, path: string): Promise<Response> {
  const { store, nowMs } = c.var
  const managed: ContentRecord = { kind: 'gallery', gallery }
  try {
    const deleted = await cleanUpIfDeletedBefore(c, () => deleteGalleryImage(store, gallery, path, nowMs))
    await afterDelete(c, deleted)
    return showManaged(c, 200, managed, { deletedImage: deleted.name })
  } catch (error) {
    if (!(error instanceof ContentDeleted)) throw error
    return showManaged(c, 410, managed, { error: 'image_deleted' })
  }
}

/** Writes the texts of a standalone image, or of an image of a gallery. */
async function editFromPage(
  c: AppContext,
  managed: ContentRecord,
  path: string,
  form: ReadonlyMap<string, string>,
): Promise<Response> {
  const { store } = c.var
  const text = (name: string) => normalizeCaption(name, form.get(name) ?? '') || null
  try {
    const texts = { caption: text('caption'), alt: text('alt') }
    if (managed.kind === 'gallery') {
      return await changeFromPage(c, managed, () =>
        describeGalleryImage(store, managed.gallery, path, texts, c.var.nowMs),
      )
    }
    await chargeClient(c, { changes: 1 })
    const image = await describeStandaloneImage(store, managed.image, texts)
    return await showManaged(c, 200, { kind: 'image', image }, { saved: true })
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'invalid_option') throw error
    return showManaged(c, 422, managed, { error: 'invalid_texts' })
  }
}

/** Changes an image of a gallery, and shows the page again. */
async function changeFromPage(c: AppContext, managed: ContentRecord, act: () => Promise<unknown>): Promise<Response> {
  await chargeClient(c, { changes: 1 })
  try {
    await act()
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'image_not_in_gallery') throw error
    return showManaged(c, 410, managed, { error: 'image_deleted' })
  }
  // As it is now.
  return showManaged(c, 200, await requireManaged(c.var.store, tokenOf(c), c.var.nowMs), { saved: true })
}

/** `POST /manage/<token>/images`: the form of that page that adds an image, without a script. */
export async function addFromPage(c: AppContext): Promise<Response> {
  const { store } = c.var
  const token = tokenOf(c)
  const arrival = createArrival(c)
  await requireUploadKey(c)
  await chargeClient(c, uploadCharges(c.req.raw))
  const gallery = await requireManagedGallery(store, token, c.var.nowMs)
  const managed: ContentRecord = { kind: 'gallery', gallery }
  let name = ''
  try {
    await requireDiskRoom(c)
    const upload = await readImageUpload(c.var.incoming, { content_type: '0' }, expiryRulesOf(c))
    name = refusedName(upload.file.filename)
    await chargePixels(c, [upload.file])
    const entry = { hash: gallery.hash, managed: gallery }
    noteUpload(c, 'image', await receiveImage(store, { ...upload, gallery: entry }, arrival))
  } catch (error) {
    if (!(error instanceof Failure) || !REFUSED.has(error.code)) throw error
    const { code, message } = error
    countRefusal(code)
    return showManaged(c, ERRORS[code].status, managed, { refused: [refusedImage(name, code, message)] })
  }
  // The last page, where the image is. The address of a redirect would have the token, which no header may have.
  const lastPage = Math.ceil((gallery.imageCount + 1) / MANAGED_PAGE_IMAGES)
  return showManaged(c, 200, managed, { saved: true }, lastPage)
}

/** Refusals of an image by itself, which the page explains. */
const REFUSED: ReadonlySet<string> = new Set<ErrorCode>([
  'file_too_large',
  'unsupported_image_format',
  'unreadable_image',
  'image_too_large',
  'blocked_content',
  'upload_denied',
  'gallery_full',
])

async function showManaged(
  c: AppContext,
  status: number,
  managed: ContentRecord,
  outcome: Pick<
    ManagePageProps,
    'renamedFrom' | 'deletedImage' | 'saved' | 'error' | 'refusedName' | 'failed' | 'refused'
  >,
  pageNumber = requestedNumber(c, 'page') ?? 1,
): Promise<Response> {
  const { site } = c.var.host
  const url = manageUrl(site, tokenOf(c))
  const described =
    managed.kind === 'image' ? describeImage(site, managed.image) : await describeGallery(c, managed, url, pageNumber)
  return page(c, status, (context) =>
    managePage({
      context: { ...context, address: described.images ? numberedUrl(url, 'page', described.images.page) : url },
      kind: managed.kind,
      actionUrl: keepChosen(context, url),
      addUrl: managed.kind === 'gallery' ? keepChosen(context, addUrl(site, tokenOf(c))) : undefined,
      ...described,
      expiry: shownExpiry(c, managed.kind === 'image' ? managed.image.expiresAt : managed.gallery.expiresAt),
      ...outcome,
    }),
  )
}

function describeImage(
  site: Site,
  image: Image,
): Pick<ManagePageProps, 'publicUrl' | 'name' | 'thumbnail' | 'images' | 'texts' | 'guests'> {
  return {
    publicUrl: showUrl(site, image),
    name: nameForPeople(image),
    thumbnail: thumbnailOf(site, image),
    texts: textsOf(image),
  }
}

function textsOf({ caption, alt }: Image) {
  return { caption: caption ?? '', alt: alt ?? '' }
}

function addUrl(site: Site, token: string): string {
  return site.pages + routes.pathOf(routes.manageImages, { token })
}

/** Describes a gallery with a page of its images, as they are now. Nobody sees those of a gallery that is not public. */
async function describeGallery(c: AppContext, { gallery }: { gallery: Gallery }, url: string, pageNumber: number) {
  const { store, host, nowMs } = c.var
  const token = tokenOf(c)
  const guests = await findOpenGuestLink(store, gallery, token, nowMs)
  const found = await findNearestView(store, gallery.hash, pageNumber, MANAGED_PAGE_IMAGES, nowMs)
  const view = found === 'expired' ? undefined : found
  return {
    publicUrl: galleryUrl(host.site, gallery.hash),
    name: gallery.name,
    imageCount: (view?.gallery ?? gallery).imageCount,
    guests: guests && { ...guests, url: guestUrl(host.site, guests.token) },
    images: view && {
      ...paginationOf(url, view),
      items: view.images.map((image) => ({
        path: imagePath(image),
        pageUrl: showUrl(host.site, image),
        name: nameForPeople(image),
        thumbnail: thumbnailOf(host.site, image),
        ...textsOf(image),
        isCover: image.id === view.gallery.coverImageId,
      })),
    },
  }
}

/** The thumbnail of an image, unless it is NSFW. */
function thumbnailOf(site: Site, image: Image): ManagePageProps['thumbnail'] {
  if (image.nsfw) return undefined
  return { url: thumbnailUrl(site, image), width: image.thumbnailWidth, height: image.thumbnailHeight }
}

function tokenOf(c: AppContext): string {
  return pathParameter(c, 'token')
}
