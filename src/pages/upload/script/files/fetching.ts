/**
 * The file at an address, fetched by this browser without cookies and without a referrer: the service never fetches. Undefined
 * if its server does not let pages of other sites read it.
 */
export async function fetchFile(address: URL): Promise<File | undefined> {
  try {
    const response = await fetch(address, { mode: 'cors', credentials: 'omit', referrerPolicy: 'no-referrer' })
    if (!response.ok) return undefined
    const blob = await response.blob()
    const name = decodeURIComponent(address.pathname.split('/').at(-1) ?? '') || address.hostname
    return new File([blob], name, { type: blob.type })
  } catch {
    return undefined
  }
}
