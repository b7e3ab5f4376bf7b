import { find } from '../../shell/script/elements.ts'
import type { Options } from './state.ts'
import { keepChoices, readChoices } from './stored-choices.ts'

const CHOICES_KEY = 'upload-options'
const CHECKBOXES = ['strip', 'optimize_for_web', 'content_type']
/** From this width on, the options are beside the list, as in the style sheet. */
const WIDE = window.matchMedia('(min-width: 62rem)')

/** Reads the options from the form. Each upload has a private link: what was sent by mistake can be deleted. */
export function readOptions(isGallery: boolean): Options {
  return {
    fields: {
      content_type: flag('content_type'),
      max_th_size: previewSize().value,
      optimize_for_web: flag('optimize_for_web'),
      // A gallery has one link for all its images.
      include_manage_url: isGallery ? '0' : '1',
      // A gallery takes its images with it.
      expires_in: isGallery ? '' : expiry().value,
    },
    stripped: checkbox('strip').checked,
    gallery: isGallery ? { name: galleryName().value, expiresIn: expiry().value } : undefined,
  }
}

/**
 * Shows the options that need the script, hides the one that the script chooses, and stores choices for the next visit. The choice of one gallery is not stored, because it depends on the images.
 */
export function prepareOptions(onGalleryChoice: (isWanted: boolean) => void): void {
  find('#strip-choice', HTMLElement).hidden = false
  find('#include_manage_url-choice', HTMLElement).hidden = true
  // Without a script it is ticked, so that images lose their location.
  checkbox('optimize_for_web').checked = false
  const stored = readChoices(CHOICES_KEY)
  for (const id of CHECKBOXES) if (stored[id] !== undefined) checkbox(id).checked = stored[id] === '1'
  previewSize().value = stored.max_th_size ?? previewSize().value
  if (previewSize().selectedIndex < 0) previewSize().selectedIndex = 0
  // The operator may have taken the choice away since.
  const byDefault = expiry().value
  expiry().value = stored.expires_in ?? byDefault
  if (expiry().selectedIndex < 0) expiry().value = byDefault

  find('.bar', HTMLElement).addEventListener('change', () => {
    const flags = CHECKBOXES.map((id) => [id, checkbox(id).checked ? '1' : '0'])
    keepChoices(CHOICES_KEY, {
      ...Object.fromEntries(flags),
      max_th_size: previewSize().value,
      expires_in: expiry().value,
    })
    describeOptions()
  })
  const oneGallery = checkbox('one-gallery')
  oneGallery.addEventListener('change', () => onGalleryChoice(oneGallery.checked))
  galleryName().addEventListener('input', () => flagGalleryName(false))
  WIDE.addEventListener('change', showOrFold)
  showOrFold()
  describeOptions()
}

/** Marks the field of the gallery's name as refused or not. */
export function flagGalleryName(wrong: boolean): void {
  galleryName().setAttribute('aria-invalid', String(wrong))
  if (wrong) galleryName().focus()
}

/** Offers one gallery for all images, or does not. */
export function showGalleryChoice(isOffered: boolean, isWanted: boolean): void {
  find('#one-gallery-choice', HTMLElement).hidden = !isOffered
  checkbox('one-gallery').checked = isWanted
  find('.gallery-name', HTMLElement).hidden = !isWanted
}

/** Returns the label of the choice of one gallery, as it is announced. */
export function galleryLabel(): string {
  return checkbox('one-gallery').labels?.[0]?.textContent?.trim() ?? ''
}

/** Clears the name, for the next gallery. */
export function forgetGalleryName(): void {
  galleryName().value = ''
}

function showOrFold(): void {
  details().open = WIDE.matches
}

/** Shows the chosen options in the summary line, and on files with location data. */
function describeOptions(): void {
  const chosen = CHECKBOXES.slice(1).filter((id) => checkbox(id).checked)
  const labels = chosen.map((id) => {
    const label = checkbox(id).labels?.[0]
    return (label?.querySelector('.by-script') ?? label)?.textContent?.trim() ?? ''
  })
  const size = previewSize().labels[0]?.textContent ?? ''
  find('#options-summary', HTMLElement).textContent = [
    ...labels,
    `${size} (${previewSize().selectedOptions[0]?.text ?? ''})`,
    ...(expiry().value === ''
      ? []
      : [`${expiry().labels[0]?.textContent ?? ''} (${expiry().selectedOptions[0]?.text ?? ''})`]),
  ].join(' · ')
  find('#upload', HTMLFormElement).dataset.strips = flag('strip')
}

function details(): HTMLDetailsElement {
  return find('#options', HTMLDetailsElement)
}

function previewSize(): HTMLSelectElement {
  return find('#max_th_size', HTMLSelectElement)
}

function expiry(): HTMLSelectElement {
  return find('#expires_in', HTMLSelectElement)
}

function galleryName(): HTMLInputElement {
  return find('#gallery-name', HTMLInputElement)
}

function checkbox(id: string): HTMLInputElement {
  return find(`#${id}`, HTMLInputElement)
}

function flag(id: string): string {
  return checkbox(id).checked ? '1' : '0'
}
