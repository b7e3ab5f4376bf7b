import * as routes from '../../routes.ts'

/** Deleted now, or deleted before; or it may still be there. */
export type DeleteResult = 'deleted' | 'failed'

/** Deletes what a private link leads to. The token goes to this service alone, whatever host the link names. */
export async function deleteByLink(manageUrl: string): Promise<DeleteResult> {
  const token = new URL(manageUrl).pathname.split('/').at(-1) ?? ''
  const path = routes.pathOf(routes.deleteContent, { token: encodeURIComponent(token) })
  try {
    const { ok, status } = await fetch(path, { method: 'POST' })
    return ok || status === 404 || status === 410 ? 'deleted' : 'failed'
  } catch {
    return 'failed'
  }
}
