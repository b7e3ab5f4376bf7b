import * as routes from '../../../routes.ts'

/** `deleted` now or before; `unknown` to this service, which may have been restored from a backup; or it may still be there. */
export type DeleteResult = 'deleted' | 'unknown' | 'failed'

/** Deletes what a private link leads to. The token goes to this service alone, whatever host the link names. */
export async function deleteByLink(manageUrl: string): Promise<DeleteResult> {
  const token = new URL(manageUrl).pathname.split('/').at(-1) ?? ''
  const path = routes.pathOf(routes.deleteContent, { token: encodeURIComponent(token) })
  try {
    const { ok, status } = await fetch(path, { method: 'POST' })
    if (ok || status === 410) return 'deleted'
    return status === 404 ? 'unknown' : 'failed'
  } catch {
    return 'failed'
  }
}
