// The service worker of the share sheet: it takes the pictures that a phone shares, before anything is sent, and hands them to the
// upload page, where they lie in the list like chosen ones. It answers nothing else: its scope is that one address.
import * as routes from '../../routes.ts'
import { keepShared } from './shared-files.ts'

/** What this needs of a FetchEvent (Service Workers, 4.6), which the types of pages do not have. */
interface FetchEvent {
  request: Request
  respondWith: (response: Promise<Response>) => void
}

declare const self: { addEventListener: (type: 'fetch', listen: (event: FetchEvent) => void) => void }

self.addEventListener('fetch', (event) => {
  if (event.request.method === 'POST') event.respondWith(take(event.request))
})

async function take(request: Request): Promise<Response> {
  const form = await request.formData()
  try {
    await keepShared(form.getAll('img').filter((part) => part instanceof File))
    return Response.redirect(`${routes.home}?shared`, 303)
  } catch {
    // There is no room on the device: the service takes them itself.
    return fetch(routes.share, { method: 'POST', body: form, redirect: 'manual' })
  }
}
