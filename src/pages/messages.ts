import type { Plural } from './formatting.ts'
import type { Language } from './language.ts'
import { de } from './messages/de.ts'
import { en } from './messages/en.ts'
import { es } from './messages/es.ts'
import { fr } from './messages/fr.ts'
import { ja } from './messages/ja.ts'

/** What a management token can address (specification, "Management token"). */
export type ManagedKind = 'image' | 'gallery'

/** Everything the pages say. Arguments come formatted for the language; a language that lacks a message does not compile. */
export interface Messages {
  /** Shown for NSFW pictures. */
  adultContent: string
  adultContentInGallery: string
  /** The public name of a gallery whose name is empty (gallery name rule 4). */
  untitledGallery: string
  gallery: string

  uploaded: string
  dimensions: string
  pixels: (width: string, height: string) => string
  share: string
  shareLink: string
  shareBbcode: string
  shareHtml: string

  imageCount: Plural
  pageOf: (page: string, pageCount: string) => string
  pages: string
  previousPage: string
  nextPage: string

  managed: Record<ManagedKind, ManagedMessages>
  publicPage: string
  rename: string
  nameLabel: string
  nameHint: (maxCharacters: string) => string
  renameButton: string
  renamed: string
  invalidName: (maxCharacters: string) => string

  missingPicture: Notice
  missingGallery: Notice
  notFound: Notice
  gone: Notice
  error: Notice
  requestId: string
  homeLink: string

  home: {
    heading: string
    summary: string
    formatsAndLimits: string
    formats: (formats: string) => string
    fileSize: (size: string) => string
    pixelCount: (megapixels: string) => string
    thumbnails: (min: string, max: string) => string
    galleries: (hours: string) => string
    api: string
    apiSummary: string
  }
}

/** A heading and what to do about it. */
export interface Notice {
  heading: string
  explanation: string
}

/** What the management pages say about a picture or a gallery. */
export interface ManagedMessages {
  heading: string
  explanation: string
  deleteHeading: string
  deleteWarning: string
  deleteButton: string
  deleted: Notice
}

export const MESSAGES = { en, de, fr, es, ja } satisfies Record<Language, Messages>
