import { find } from './elements.ts'

/** The chosen options of the upload. */
export interface Options {
  /** The fields of every picture's form. */
  fields: Record<string, string>
  /** The gallery for all pictures, if one is wanted. */
  gallery: { name: string; include_manage_url: string } | undefined
}

/** Reads the options from the form. */
export function readOptions(): Options {
  const privateLinks = flag('include_manage_url')
  return {
    fields: {
      content_type: flag('content_type'),
      max_th_size: find('#max_th_size', HTMLSelectElement).value,
      optimize_for_web: flag('optimize_for_web'),
      // A gallery has one link for all its pictures.
      include_manage_url: wantsGallery().checked ? '0' : privateLinks,
    },
    gallery: wantsGallery().checked ? { name: galleryName().value, include_manage_url: privateLinks } : undefined,
  }
}

/** Shows the gallery option, which needs the script. */
export function offerGallery(): void {
  find('#one-gallery-choice', HTMLElement).hidden = false
  galleryName().addEventListener('input', () => markGalleryName(false))
}

/** Marks the field of the gallery's name as refused or not. */
export function markGalleryName(wrong: boolean): void {
  galleryName().setAttribute('aria-invalid', String(wrong))
  if (wrong) galleryName().focus()
}

/** Clears the name, for the next gallery. */
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
