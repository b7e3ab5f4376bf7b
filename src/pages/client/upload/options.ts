import { find } from './elements.ts'

/** What the reader wants of the upload. */
export interface Options {
  /** The fields of every picture's form. */
  fields: Record<string, string>
  /** One gallery for all, where that is wanted. */
  gallery: { name: string; include_manage_url: string } | undefined
}

/** Reads the options as they stand. */
export function readOptions(): Options {
  const privateLinks = flag('include_manage_url')
  return {
    fields: {
      content_type: flag('content_type'),
      max_th_size: find('#max_th_size', HTMLSelectElement).value,
      optimize_for_web: flag('optimize_for_web'),
      // Those of a gallery have one link together.
      include_manage_url: wantsGallery().checked ? '0' : privateLinks,
    },
    gallery: wantsGallery().checked ? { name: galleryName().value, include_manage_url: privateLinks } : undefined,
  }
}

/** Shows the choice of a gallery, which only a script can make of a form. */
export function offerGallery(): void {
  find('#one-gallery-choice', HTMLElement).hidden = false
  galleryName().addEventListener('input', () => markGalleryName(false))
}

/** Says by the field that the name of the gallery was, or was not, refused. */
export function markGalleryName(wrong: boolean): void {
  galleryName().setAttribute('aria-invalid', String(wrong))
  if (wrong) galleryName().focus()
}

/** The next gallery has another name. */
export function forgetGalleryName(): void {
  galleryName().value = ''
}

function wantsGallery(): HTMLInputElement {
  return find('#one-gallery', HTMLInputElement)
}

function galleryName(): HTMLInputElement {
  return find('#gallery-name', HTMLInputElement)
}

function flag(name: string): string {
  return find(`input[name=${name}]`, HTMLInputElement).checked ? '1' : '0'
}
