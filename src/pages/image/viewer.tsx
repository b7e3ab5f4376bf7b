import * as routes from '../../routes.ts'
import type { CodedImage } from '../shell/codes.ts'
import { Icon, type IconName } from '../shell/icons.tsx'
import type { Language } from '../shell/language.ts'
import { messagesIn } from '../shell/messages.ts'
import type { Original } from '../shell/sources.ts'

/**
 * The rule for pages between which a thumbnail grows into its image, and nothing else moves (CSS View Transitions 2).
 * It is inline in pages that have it: each waits for the next one.
 */
export const GROWING_IMAGE =
  '@media (prefers-reduced-motion:no-preference){@view-transition{navigation:auto}:root{view-transition-name:none}}'

/**
 * The template that the script fills and opens over the whole window (script/viewer/): images, and what can be done with
 * them. `data-originals` has the size of each original of the page, the width of its preview after a `p`, and an `m` if it may be an
 * animation. `data-captions` has the captions as JSON, if there are any.
 */
export function ViewerTemplate({ language, images }: { language: Language; images: readonly ViewableImage[] }) {
  const messages = messagesIn(language)
  const { imagePage, viewer, upload, codes } = messages
  const originals = images.map(factsOf).join(' ')
  const captions = images.map(({ caption }) => caption ?? '')
  return (
    <template
      id="viewer"
      data-originals={originals}
      data-captions={captions.some(Boolean) ? JSON.stringify(captions) : undefined}
    >
      <dialog class="viewer" tabindex={-1} aria-label={viewer.title}>
        <div class="viewer-stage" data-viewer="stage" />
        <p class="viewer-count" data-viewer="count" aria-live="polite" />
        <p class="viewer-caption" data-viewer="caption" dir="auto" aria-live="polite" />
        <div class="viewer-facts" data-viewer="facts" hidden>
          <p>
            <bdi />
          </p>
          {/* The script sets the address of the current image. */}
          <a class="button" data-viewer="page" href={routes.home}>
            {upload.openPage}
          </a>
        </div>
        <div class="viewer-bar">
          <ViewerButton action="previous" icon="backwards" label={imagePage.previous} />
          <ViewerButton action="next" icon="forwards" label={imagePage.next} />
          <ViewerButton action="full-size" icon="enlarge" label={imagePage.fullSize} />
          <ViewerButton action="slideshow" icon="play" label={viewer.slideshow} />
          <button
            type="button"
            class="copy"
            data-viewer="copy"
            title={upload.copyLink}
            data-copied-text={codes.copied}
            data-failed-text={codes.copyFailed}
          >
            <Icon name="copy" />
            <span class="visually-hidden" aria-live="polite">
              {upload.copyLink}
            </span>
          </button>
          <a
            class="button"
            data-viewer="download"
            href={routes.home}
            download
            title={imagePage.download}
            aria-label={imagePage.download}
          >
            <Icon name="download" />
          </a>
          <ViewerButton action="info" icon="info" label={imagePage.facts} />
          <ViewerButton action="close" icon="close" label={viewer.close} />
        </div>
      </dialog>
    </template>
  )
}

/** An image that the viewer can show. */
type ViewableImage = Original & CodedImage & { caption?: string | undefined }

function factsOf({ width, height, mayMove, preview, originalUrl }: ViewableImage): string {
  const hasPreview = preview !== undefined && preview.url !== originalUrl
  return `${width}x${height}${hasPreview ? `p${preview.width}` : ''}${mayMove ? 'm' : ''}`
}

function ViewerButton({ action, icon, label }: { action: string; icon: IconName; label: string }) {
  return (
    <button type="button" data-viewer={action} title={label} aria-label={label}>
      <Icon name={icon} />
    </button>
  )
}
