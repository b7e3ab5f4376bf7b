import { Icon, type IconName } from '../shell/icons.tsx'
import type { Language } from '../shell/language.ts'
import { messagesIn } from '../shell/messages.ts'

/**
 * The rule for pages between which a thumbnail grows into its image, and nothing else moves (CSS View Transitions 2).
 * It is inline in pages that have it: each waits for the next one.
 */
export const GROWING_IMAGE =
  '@media (prefers-reduced-motion:no-preference){@view-transition{navigation:auto}:root{view-transition-name:none}}'

/**
 * The template that the script fills and opens over the whole window (client/viewer/): an image, and links to the
 * others.
 */
export function ViewerTemplate({ language }: { language: Language }) {
  const messages = messagesIn(language)
  const { imagePage, viewer } = messages
  return (
    <template id="viewer">
      <dialog class="viewer" tabindex={-1} aria-label={viewer.title}>
        <div class="viewer-stage" data-viewer="stage" />
        <p class="viewer-count" data-viewer="count" aria-live="polite" />
        <div class="viewer-bar">
          <ViewerButton action="previous" icon="backwards" label={imagePage.previous} />
          <ViewerButton action="next" icon="forwards" label={imagePage.next} />
          <ViewerButton action="full-size" icon="enlarge" label={imagePage.fullSize} />
          <ViewerButton action="slideshow" icon="play" label={viewer.slideshow} />
          <ViewerButton action="close" icon="close" label={viewer.close} />
        </div>
      </dialog>
    </template>
  )
}

function ViewerButton({ action, icon, label }: { action: string; icon: IconName; label: string }) {
  return (
    <button type="button" data-viewer={action} title={label} aria-label={label}>
      <Icon name={icon} />
    </button>
  )
}
