const KEY = 'agreed'

/**
 * Remembers until the tab is closed that the reader agreed to see adult images. A gallery's page stores the paths of all its
 * images, one on each line. The script of every page (layout.ts) reads them.
 */
export function rememberAgreement(): void {
  const consent = document.querySelector<HTMLInputElement>('input.consent')
  consent?.addEventListener('change', () => {
    const links = document.querySelectorAll<HTMLAnchorElement>('.images > a')
    const paths = new Set([location.pathname, ...[...links].map(({ pathname }) => pathname)])
    try {
      const stored = (sessionStorage.getItem(KEY) ?? '').split('\n').filter((path) => path && !paths.has(path))
      const agreed = consent.checked ? [...stored, ...paths] : stored
      sessionStorage.setItem(KEY, agreed.map((path) => `${path}\n`).join(''))
    } catch {
      // The consent is valid for this page.
    }
  })
}
