import type { ContentRecord } from '../../domain/content.ts'
import { Failure } from '../../domain/failure.ts'
import { normalizeGalleryName } from '../../domain/gallery-name.ts'
import { galleryUrl, manageUrl, showUrl, thumbnailUrl } from '../../domain/links.ts'
import { deleteManaged, galleryOf, renameManagedGallery, requireManaged } from '../../domain/management.ts'
import { type ManagePageProps, manageDonePage, managePage } from '../../pages/manage/manage-page.tsx'
import { keepChosen } from '../../pages/shell/page-context.ts'
import { readForm } from '../body/forms.ts'
import { afterDelete, alsoIfDeletedBefore } from '../cache/after-delete.ts'
import { type AppContext, pathParameter } from '../context.ts'
import { chargeClient } from '../limits/client-limits.ts'
import { page } from '../responses/page-response.ts'

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
  const form = await readForm(c.var.incoming, ['action', 'name', 'confirm'])
  if (form.get('action') === 'delete') {
    if (!form.get('confirm')) return showManaged(c, 422, managed, { error: 'not_confirmed' })
    await afterDelete(c, await deleteManaged(c.var.store, token, c.var.nowMs))
    return page(c, 200, (context) => manageDonePage({ context, kind: managed.kind }))
  }
  if (form.get('action') !== 'rename') throw new Failure('missing_field', 'action must be "rename" or "delete"')
  return renameFromPage(c, managed, form.get('name') ?? '')
}

async function renameFromPage(c: AppContext, managed: ContentRecord, entered: string): Promise<Response> {
  await chargeClient(c, { renames: 1 })
  const gallery = galleryOf(managed)
  try {
    const name = normalizeGalleryName(entered)
    await renameManagedGallery(c.var.store, gallery, name)
    return showManaged(c, 200, { kind: 'gallery', gallery: { ...gallery, name } }, { message: 'renamed' })
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'invalid_gallery_name') throw error
    return showManaged(c, 422, { kind: 'gallery', gallery }, { error: 'invalid_name', refusedName: entered })
  }
}

function showManaged(
  c: AppContext,
  status: 200 | 422,
  managed: ContentRecord,
  outcome: Pick<ManagePageProps, 'message' | 'error' | 'refusedName' | 'failed'>,
): Response {
  const { site } = c.var.host
  const described =
    managed.kind === 'image'
      ? {
          publicUrl: showUrl(site, managed.image),
          name: managed.image.name,
          thumbnail: managed.image.nsfw
            ? undefined
            : {
                url: thumbnailUrl(site, managed.image),
                width: managed.image.thumbnailWidth,
                height: managed.image.thumbnailHeight,
              },
        }
      : {
          publicUrl: galleryUrl(site, managed.gallery.hash),
          name: managed.gallery.name,
          imageCount: managed.gallery.imageCount,
        }
  const address = manageUrl(site, tokenOf(c))
  return page(c, status, (context) =>
    managePage({
      context: { ...context, address },
      kind: managed.kind,
      actionUrl: keepChosen(context, address),
      ...described,
      ...outcome,
    }),
  )
}

function tokenOf(c: AppContext): string {
  return pathParameter(c, 'token')
}
