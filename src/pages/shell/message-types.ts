import type { Plural } from './formatting.ts'

/** The type of a managed resource (specification, "Management token"). */
export type ManagedKind = 'image' | 'gallery'

/** All texts of the pages. Arguments are already formatted for the language. */
export interface Messages {
  /** On every page. */
  homeLink: string
  skipToContent: string
  languages: string
  reportLink: string
  /** The choice of a language and a theme. */
  menu: string
  theme: string
  themes: { auto: string; light: string; dark: string }
  /** How other programs upload. */
  tools: string
  /** Names the operator. */
  runBy: (name: string) => string
  /** Footer links of an operator. */
  legal: { terms: string; privacy: string; imprint: string; contact: string }

  /** The warning in front of NSFW images. */
  adultContent: string
  adultContentInGallery: string
  /** The source of the adult content rating. */
  adultContentMarkedBy: string
  showAdultPicture: string
  showAdultPictures: string
  /** The public name of a gallery whose name is empty (gallery name rule 4). */
  untitledGallery: string
  gallery: string

  picture: {
    facts: string
    dimensions: string
    pixels: (width: string, height: string) => string
    fileSize: string
    format: string
    uploaded: string
    fullSize: string
    openOriginal: string
    download: string
    /** Before the title of the gallery. */
    positionIn: (position: string, count: string) => string
    /** Names the links to the other images of the gallery. */
    neighbours: string
    previous: string
    next: string
  }

  /** An image over the whole window. */
  viewer: {
    title: string
    slideshow: string
    close: string
  }

  /** The embed codes of images and galleries. */
  codes: {
    heading: string
    link: string
    links: string
    /** The link to the codes of a whole gallery. */
    ofAllPictures: string
    /** The target of a link, in the choice between links and codes. */
    page: string
    file: string
    /** The link to the codes of a gallery. */
    codes: string
    html: string
    markdown: string
    bbcode: string
    /** The image in a code: the thumbnail, linked to the page, or the original. */
    thumbnail: string
    full: string
    copy: string
    copied: string
    copyFailed: string
    /** The name of a copy button: what it copies. */
    copyOf: (what: string) => string
  }

  imageCount: Plural
  pageOf: (page: string, pageCount: string) => string
  /** The button that downloads a ZIP of the gallery's images, or of those of one page if it has several. */
  downloadAll: string
  downloadPart: (part: string, parts: string) => string
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
  confirmDelete: string
  confirmMissing: string

  missingPicture: Notice
  missingGallery: Notice
  notFound: Notice
  gone: Notice
  /** A limit of the operator's (429). */
  limitReached: Notice
  /** A form was sent by a page of another site (403). */
  foreignForm: Notice
  /** The form or the address is wrong (4xx). */
  badRequest: Notice
  error: Notice
  requestId: string

  upload: UploadMessages

  uploads: UploadsMessages
  embed: EmbedMessages

  report: ReportMessages
}

/** Why content can be reported. */
export type ReportReason = 'illegal' | 'child' | 'copyright' | 'personal' | 'violence' | 'other'

/** The form to report content, and the page after it. */
export interface ReportMessages {
  heading: string
  explanation: string
  url: string
  urlHint: string
  urlWrong: string
  notFound: string
  reason: string
  reasons: Record<ReportReason, string>
  reasonMissing: string
  details: string
  detailsHint: (maxCharacters: string) => string
  /** For a text that is missing or too long. */
  detailsWrong: (maxCharacters: string) => string
  contact: string
  contactHint: string
  contactWrong: (maxCharacters: string) => string
  submit: string
  tooMany: string
  unreadable: string
  done: Notice
}

/** The upload page, and the page after an upload without JavaScript. */
export interface UploadMessages {
  heading: string
  summary: string
  choose: string
  chooseFolder: string
  takePhoto: string
  dropOrPaste: string
  dropHere: string
  /** The accepted formats and the maximum size. */
  accepted: (formats: string, size: string) => string
  options: string
  adult: string
  adultHint: string
  strip: string
  stripHint: string
  /** The label of `optimize_for_web` where no script can remove metadata alone. */
  stripPlain: string
  /** Marks of a file in the list, by what will be done with its location. */
  hasLocation: string
  losesLocation: string
  smaller: string
  smallerHint: string
  previewSize: string
  previewSizes: { small: string; medium: string; large: string }
  privateLinks: string
  privateLinksHint: string
  oneGallery: string
  galleryName: string
  galleryHint: string
  start: Plural
  startOne: string
  addMore: string
  clear: string

  /** The states of a file in the list. */
  files: string
  waiting: string
  sending: (percent: string) => string
  processing: string
  done: string
  remove: (name: string) => string
  retry: (name: string) => string
  retryButton: string
  retryAll: string
  /** Makes a gallery public without the images that failed. */
  finishAnyway: string
  pause: string
  stopped: string
  resume: string
  offline: string
  /** The state of a file that waits for the connection. */
  held: string

  /** The progress of the whole batch, also announced by screen readers. */
  progress: (done: string, total: string) => string
  allDone: Plural
  someFailed: Plural
  /** Shown while the script waits for the time that the service said. */
  paused: { limited: (time: string) => string; busy: (time: string) => string }

  results: string
  galleryReady: string
  /** The label of the choice between `codes.thumbnail` and `codes.full`. */
  codesShow: string
  /** The label of a field with the codes of all images. */
  allPictures: string
  openPage: string
  another: string
  saved: (before: string, after: string, percent: string) => string
  notSmaller: string
  resized: (width: string, height: string) => string

  managementHeading: string
  managementWarning: string

  share: string
  open: string
  copyLink: string
  qrCode: string
  remembered: string
  dontRemember: string
  remember: string
  managementHint: string

  /** The choices for uploaded images when starting over. */
  startingOver: {
    sent: Plural
    question: string
    delete: string
    keep: string
    cancel: string
    deleted: Plural
    failed: Plural
  }

  /** Files that another app shared, before they join the list. */
  shared: {
    heading: string
    add: string
    discard: string
    left: Plural
    limit: (files: string, size: string) => string
  }

  /** Files that cannot be uploaded as they are, and their cures. */
  unfit: {
    heading: Plural
    tooBig: (size: string, megapixels: string) => string
    makeSmaller: string
    convertible: string
    convert: string
    unreadable: string
    curing: string
    failed: (name: string) => string
    close: string
    fetching: string
    fetchFailed: string
  }

  /** Announced when a file has another place in the list. */
  moved: (name: string, position: string, total: string) => string
  orderHint: string

  /** Why a file was refused, and what to do. */
  errors: {
    network: string
    tooLarge: (size: string) => string
    notAPicture: (formats: string) => string
    damaged: string
    galleryGone: string
    missing: string
    /** Its metadata cannot be removed. */
    notStripped: string
    server: string
    galleryName: string
  }

  limits: {
    heading: string
    pixelCount: (megapixels: string) => string
    galleries: (hours: string) => string
    forPrograms: string
  }
}

/** The page of the uploads that a browser remembers. */
export interface UploadsMessages {
  heading: string
  explanation: string
  empty: string
  needsScript: string
  filter: string
  delete: string
  deleteName: (name: string) => string
  deleteQuestion: (name: string) => string
  deleted: (name: string) => string
  deleteFailed: string
  deleteUnknown: string
  forgetAll: string
  forgetQuestion: string
  export: string
  import: string
  imported: Plural
  importFailed: string
}

/** A heading and what to do about it. */
export interface Notice {
  heading: string
  explanation: string
}

/** The management page of an image or a gallery. */
export interface ManagedMessages {
  heading: string
  explanation: string
  deleteHeading: string
  deleteWarning: string
  deleteButton: string
  deleted: Notice
}

/** The upload page as the popup of another site's editor. */
interface EmbedMessages {
  /** On the button that opens it. */
  button: string
  explanation: (site: string) => string
  insert: string
  lost: string
}
