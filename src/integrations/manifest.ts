import * as routes from '../routes.ts'
import { settingsText } from './sharex.ts'

/** An icon for home screens. */
interface ManifestIcon {
  src: string
  sizes: string
  type: string
  purpose: 'any' | 'maskable'
}

interface ManifestProps {
  name: string
  description: string
  icons: readonly ManifestIcon[]
  /** Media types of the images that a phone may share. */
  accept: readonly string[]
}

/** The colours of the light theme, which a phone shows while the first page loads. */
const PAPER = '#faf8f5'

/**
 * The web app manifest (W3C, with the Share Target of WICG). If the pages are installed, the phone's share sheet hands images to
 * the upload page, by its service worker.
 */
export function webAppManifest({ name, description, icons, accept }: ManifestProps): string {
  return settingsText({
    id: routes.home,
    name,
    short_name: name,
    description,
    start_url: routes.home,
    scope: routes.home,
    display: 'minimal-ui',
    background_color: PAPER,
    theme_color: PAPER,
    icons,
    share_target: {
      action: routes.share,
      method: 'POST',
      enctype: 'multipart/form-data',
      params: { files: [{ name: 'img', accept }] },
    },
  })
}
