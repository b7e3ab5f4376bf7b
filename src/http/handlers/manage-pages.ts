import type { ContentRecord, Gallery, Image } from '../../domain/content.ts'
import { Failure } from '../../domain/failure.ts'
import { nameForPeople } from '../../domain/filename.ts'
import { findNearestView } from '../../domain/gallery.ts'
import { normalizeGalleryName } from '../../domain/gallery-name.ts'
import { galleryUrl, imagePath, manageUrl, type Site, showUrl, thumbnailUrl } from '../../domain/links.ts'
import {
  ContentDeleted,
  deleteGalleryImage,
  deleteManaged,
  galleryOf,
  renameManagedGallery,
  requireManaged,
} from '../../domain/management.ts'
import { MANAGED_PAGE_IMAGES } from '../../limits.ts'
import { type ManagePageProps, manageDonePage, managePage } from '../../pages/manage/manage-page.tsx'
import { keepChosen } from '../../pages/shell/page-context.ts'
import { readForm } from '../body/forms.ts'
import { afterDelete, alsoIfDeletedBefore } from '../cache/after-delete.ts'
import { type AppContext, pathParameter } from '../context.ts'
import { chargeClient } from '../limits/client-limits.ts'
import { page } from '../responses/page-response.ts'
import { numberedUrl, paginationOf, requestedNumber } from './pages.ts'

/** `GET /manage/<token>`: shows what the token can do, without doing it. */
export async function serveManagePage(c: AppContext): Promise<Response> {
  // Of what a phone has shared.
  const [failed] = /^[1-9]\d{0,3}$/.exec(c.req.query('failed') ?? '') ?? []
  const managed = await requireManaged(c.var.store, tokenOf(c))
  return showManaged(c, 200, managed, { failed: failed === undefined ? undefined : Number(failed) })
}

/** `POST /manage/<token>`: the forms of that page. */
export async function submitManagePage(c: AppContext): Promise<Response> {
  const token = tokenOf(c)
  const managed = await alsoIfDeletedBefore(c, () => requireManaged(c.var.store, token))
  const form = await readForm(c.var.incoming, ['action', 'name', 'confirm', 'image'])
  switch (form.get('action')) {
    case 'delete':
      if (!form.get('confirm')) return showManaged(c, 422, managed, { error: 'not_confirmed' })
      await afterDelete(c, await deleteManaged(c.var.store, token, c.var.nowMs))
      return page(c, 200, (context) => manageDonePage({ context, kind: managed.kind }))
    case 'delete-image':
      return deleteImageFromPage(c, galleryOf(managed), form.get('image') ?? '')
    case 'rename':
      return renameFromPage(c, galleryOf(managed), form.get('name') ?? '')
    default:
      throw new Failure('missing_field', 'action must be "rename", "delete" or "delete-image"')
  }
}

async function renameFromPage(c: AppContext, gallery: Gallery, entered: string): Promise<Response> {
  await chargeClient(c, { renames: 1 })
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
    const deleted = await alsoIfDeletedBefore(c, () => deleteGalleryImage(store, gallery, path, nowMs))
    await afterDelete(c, deleted)
    return showManaged(c, 200, managed, { deletedImage: deleted.name })
  } catch (error) {
    if (!(error instanceof ContentDeleted)) throw error
    return showManaged(c, 410, managed, { error: 'image_deleted' })
  }
}

async function showManaged(
  c: AppContext,
  status: 200 | 410 | 422,
  managed: ContentRecord,
  outcome: Pick<ManagePageProps, 'renamedFrom' | 'deletedImage' | 'error' | 'refusedName' | 'failed'>,
): Promise<Response> {
  const { site } = c.var.host
  const url = manageUrl(site, tokenOf(c))
  const described =
    managed.kind === 'image' ? describeImage(site, managed.image) : await describeGallery(c, managed, url)
  return page(c, status, (context) =>
    managePage({
      context: { ...context, address: described.images ? numberedUrl(url, 'page', described.images.page) : url },
      kind: managed.kind,
      actionUrl: keepChosen(context, url),
      ...described,
      ...outcome,
    }),
  )
}

function describeImage(site: Site, image: Image): Pick<ManagePageProps, 'publicUrl' | 'name' | 'thumbnail' | 'images'> {
  return { publicUrl: showUrl(site, image), name: nameForPeople(image), thumbnail: thumbnailOf(site, image) }
}

/** Describes a gallery with a page of its images, as they are now. Nobody sees those of a gallery that is not public. */
async function describeGallery(c: AppContext, { gallery }: { gallery: Gallery }, url: string) {
  const { store, host } = c.var
  const view = await findNearestView(store, gallery.hash, requestedNumber(c, 'page') ?? 1, MANAGED_PAGE_IMAGES)
  return {
    publicUrl: galleryUrl(host.site, gallery.hash),
    name: gallery.name,
    imageCount: (view?.gallery ?? gallery).imageCount,
    images: view && {
      ...paginationOf(url, view),
      items: view.images.map((image) => ({
        path: imagePath(image),
        pageUrl: showUrl(host.site, image),
        name: nameForPeople(image),
        thumbnail: thumbnailOf(host.site, image),
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
