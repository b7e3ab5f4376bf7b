/** The texts in English. The types of all languages and of the pages are made of them: see types.ts. */
export const en = {
  /** On every page. */
  homeLink: 'To the front page',
  skipToContent: 'Skip to the content',
  languages: 'Languages',
  reportLink: 'Report unlawful content',
  /** The choice of a language and a theme. */
  menu: 'Language and theme',
  theme: 'Theme',
  themes: { auto: 'Like the device', light: 'Light', dark: 'Dark' },
  /** Uploads from other programs. */
  tools: 'Tools',
  /** Names the operator. */
  runBy: 'Run by {name}',
  /** Footer links of an operator. */
  legal: { terms: 'Terms of use', privacy: 'Privacy', imprint: 'Legal notice', contact: 'Contact' },

  /** The warning in front of NSFW images. */
  adultContent: 'Adult content',
  adultContentInGallery: 'This gallery holds adult content',
  /** The source of the adult content rating. */
  adultContentMarkedBy: 'Marked so by whoever uploaded it.',
  showAdultImage: 'Show the picture',
  showAdultImages: 'Show the pictures',
  /** The public name of a gallery whose name is empty (gallery name rule 4). */
  untitledGallery: 'Untitled gallery',
  gallery: 'Gallery',

  imagePage: {
    facts: 'About this picture',
    dimensions: 'Dimensions',
    pixels: '{width} × {height}',
    fileSize: 'File size',
    format: 'Format',
    uploaded: 'Uploaded',
    fullSize: 'Full size',
    openOriginal: 'Open the original',
    download: 'Download',
    /** Before the title of the gallery. */
    positionIn: '{position} of {count} in',
    /** Names the links to the other images of the gallery. */
    neighbours: 'Pictures of this gallery',
    previous: 'Previous picture',
    next: 'Next picture',
  },

  /** An image over the whole window. */
  viewer: {
    title: 'Picture',
    slideshow: 'Slideshow',
    close: 'Close',
  },

  /** The embed codes of images and galleries. */
  codes: {
    heading: 'Share',
    link: 'Link',
    links: 'Links',
    /** The link to the codes of a whole gallery. */
    ofAllImages: 'Codes of all pictures',
    /** The target of a link, in the choice between links and codes. */
    page: 'Page',
    file: 'File',
    /** The link to the codes of a gallery. */
    codes: 'Codes',
    html: 'HTML',
    markdown: 'Markdown',
    bbcode: 'BBCode',
    /** The image in a code: the thumbnail, linked to the page, or the original. */
    thumbnail: 'Thumbnail with a link',
    full: 'Full picture',
    copy: 'Copy',
    copied: 'Copied',
    copyFailed: 'Press Ctrl+C to copy',
    /** The name of a copy button: what it copies. */
    copyOf: 'Copy: {what}',
  },

  imageCount: { one: '{count} picture', other: '{count} pictures' },
  pageOf: 'Page {page} of {pageCount}',
  /** The button that downloads a ZIP of the gallery's images, or of those of one page if it has several. */
  downloadAll: 'Download all',
  downloadPart: 'Download part {part} of {parts}',
  pages: 'Pages',
  previousPage: 'Previous page',
  nextPage: 'Next page',

  managed: {
    image: {
      heading: 'Manage your picture',
      explanation: 'Whoever has the address of this page can delete the picture. Keep it to yourself.',
      deleteHeading: 'Delete the picture',
      deleteWarning: 'The picture, its page and its thumbnail disappear for good. This cannot be undone.',
      deleteButton: 'Delete the picture',
      deleted: {
        heading: 'The picture is deleted',
        explanation: 'Its page says so from now on. This address has no further use.',
      },
    },
    gallery: {
      heading: 'Manage your gallery',
      explanation: 'Whoever has the address of this page can rename or delete the gallery. Keep it to yourself.',
      deleteHeading: 'Delete the gallery',
      deleteWarning: 'The gallery disappears for good, and so does every picture in it. This cannot be undone.',
      deleteButton: 'Delete the gallery and its pictures',
      deleted: {
        heading: 'The gallery is deleted',
        explanation: 'All its pictures are deleted too. This address has no further use.',
      },
    },
  },
  publicPage: 'Public page',
  rename: 'Rename the gallery',
  nameLabel: 'Name',
  nameHint: 'At most {maxCharacters} characters, no emoji and no < or >. It may be empty. The address stays the same.',
  renameButton: 'Rename',
  renamed: 'The gallery has its new name.',
  invalidName:
    'This name cannot be used: at most {maxCharacters} characters, no emoji, no line breaks or control characters, no < or >.',
  confirmDelete: 'Yes, delete it for good',
  confirmMissing: 'Nothing was deleted yet. Tick the box first, then delete.',

  missingImage: {
    heading: 'No picture here',
    explanation: 'It was deleted, is not public yet, or the address is wrong.',
  },
  missingGallery: {
    heading: 'No gallery here',
    explanation: 'It was deleted, is not public yet, or the address is wrong.',
  },
  notFound: { heading: 'There is nothing here', explanation: 'Please check the address.' },
  deletedNotice: {
    heading: 'Already deleted',
    explanation: 'What this address managed was deleted. It has no further use.',
  },
  /** A limit of the operator's (429). */
  limitReached: {
    heading: 'That was a lot at once',
    explanation:
      'More has come from your network in the last hour than this service takes. Please try again in a while.',
  },
  /** A form was sent by a page of another site (403). */
  foreignForm: {
    heading: 'This form came from another site',
    explanation: 'Nothing was done. Please open the page here and send its own form.',
  },
  /** The form or the address is wrong (4xx). */
  badRequest: {
    heading: 'That did not work',
    explanation: 'The form did not arrive whole. Please go back and try again.',
  },
  error: { heading: 'Something went wrong', explanation: 'The mistake is ours. Please try again in a moment.' },
  requestId: 'Number of this request, if you report it',

  upload: {
    heading: 'A home for your pictures',
    summary: 'Share a picture by its link. No account, no advertising, no tracking.',
    choose: 'Choose pictures',
    chooseFolder: 'A folder',
    takePhoto: 'Take a photo',
    dropOrPaste: 'or drop them anywhere, or paste one',
    dropHere: 'Drop the pictures anywhere',
    /** The accepted formats and the maximum size. */
    accepted: '{formats}, up to {size} each',
    options: 'Options',
    adult: 'Adult content',
    adultHint: 'The pictures lie under a veil until somebody lifts it.',
    strip: 'Remove location and camera data',
    stripHint: 'In your browser, before anything is sent. The picture itself stays as it is.',
    /** The label of `optimize_for_web` where no script can remove metadata alone. */
    stripPlain: 'Remove location and camera data, and make large photos smaller',
    /** Marks of a file in the list, by what will be done with its location. */
    hasLocation: 'Holds a location',
    losesLocation: 'Location is removed',
    smaller: 'Smaller files',
    smallerHint: 'Large photos are made smaller, and metadata such as the place is removed.',
    previewSize: 'Preview size',
    previewSizes: { small: 'Small', medium: 'Medium', large: 'Large' },
    privateLinks: 'Private links to delete them later',
    privateLinksHint: 'They are shown once, right after the upload.',
    oneGallery: 'One gallery for all',
    galleryName: 'Name of the gallery',
    galleryHint: 'It may stay empty.',
    start: { one: 'Upload {count} picture', other: 'Upload {count} pictures' },
    startOne: 'Upload',
    addMore: 'Add more',
    clear: 'Start over',

    /** The states of a file in the list. */
    files: 'Your pictures',
    waiting: 'Waiting',
    sending: 'Sending, {percent}',
    processing: 'Arrived, is being processed',
    done: 'Done',
    remove: 'Remove {name}',
    retry: 'Try {name} again',
    retryButton: 'Try again',
    retryAll: 'Try all again that failed',
    /** Makes a gallery public without the images that failed. */
    finishAnyway: 'Finish anyway',
    pause: 'Pause',
    stopped: 'Paused',
    resume: 'Continue',
    offline: 'No connection. The upload goes on by itself when it is back.',
    /** The state of a file that waits for the connection. */
    held: 'Waits for the connection',

    /** The progress of the whole batch, also announced by screen readers. */
    progress: '{done} of {total} uploaded',
    allDone: { one: '{count} picture is uploaded.', other: 'All {count} pictures are uploaded.' },
    someFailed: { one: '{count} picture could not be uploaded.', other: '{count} pictures could not be uploaded.' },
    /** Shown while the script waits for the time that the service said. */
    paused: {
      limited: 'More has come from your network than this service takes at once. It goes on by itself at {time}.',
      busy: 'The service is busy. It goes on by itself at {time}.',
    },

    results: 'Ready to share',
    galleryReady: 'Your gallery',
    /** The label of the choice between `codes.thumbnail` and `codes.full`. */
    codesShow: 'The codes show',
    /** The label of a field with the codes of all images. */
    allImages: 'All pictures',
    openPage: 'Open the page',
    another: 'Upload more',
    saved: '{before} became {after}, {percent} smaller',
    notSmaller: 'It was as small as it gets',
    resized: 'made {width} × {height} pixels',

    managementHeading: 'Private links',
    managementWarning: 'Save these links now: they are never shown again. Whoever has one can delete what it leads to.',

    share: 'Share …',
    open: 'Open',
    copyLink: 'Copy the link',
    qrCode: 'QR code',
    remembered: 'Remembered on this device',
    dontRemember: 'Do not remember',
    remember: 'Remember on this device',
    managementHint: 'Whoever has such a link can delete what it leads to. Keep it to yourself.',

    /** The choices for uploaded images when starting over. */
    startingOver: {
      sent: { one: '{count} picture is already uploaded.', other: '{count} pictures are already uploaded.' },
      question: 'What should happen to what was sent?',
      delete: 'Delete what was sent',
      keep: 'Keep it',
      cancel: 'Cancel',
      deleted: {
        one: '{count} picture was deleted.',
        other: '{count} pictures were deleted.',
      },
      failed: {
        one: '{count} picture could not be deleted. Please try again.',
        other: '{count} pictures could not be deleted. Please try again.',
      },
    },

    /** Files that another app shared, before they join the list. */
    shared: {
      heading: 'Shared from another app',
      add: 'Add',
      discard: 'Discard',
      left: { one: '{count} file was left out.', other: '{count} files were left out.' },
      limit: 'Up to {files} files and {size} can be shared at once, if the device has room for them.',
      interrupted: 'The share was interrupted. Share the missing files again.',
    },

    /** Files that cannot be uploaded as they are, and their cures. */
    unfit: {
      heading: {
        one: '{count} file cannot be uploaded as it is',
        other: '{count} files cannot be uploaded as they are',
      },
      tooBig: 'Larger than {size} or {megapixels} megapixels.',
      makeSmaller: 'Make smaller',
      convertible: 'This format cannot be uploaded, but your browser can convert it.',
      convert: 'Convert to JPEG',
      unreadable: 'This format cannot be uploaded, and your browser cannot convert it. Save it as JPEG first.',
      curing: 'One moment …',
      failed: '{name} could not be read in this browser.',
      close: 'Close',
      fetching: 'The picture is being fetched.',
      fetchFailed:
        'The server of this address does not hand its pictures to other sites. Save the picture, then choose it here.',
    },

    /** Announced when a file has another place in the list. */
    moved: '{name} is now {position} of {total}',
    orderHint: 'Drag the pictures into order, or press Alt and an arrow key.',

    /** Why a file was refused, and what to do. */
    errors: {
      network: 'The connection broke. Please try again.',
      tooLarge: 'The file is larger than {size}.',
      unsupportedFormat: 'This is no picture we know. We take {formats}.',
      damaged: 'The picture is damaged.',
      tooManyPixels: 'The picture has too many pixels. Please make it smaller.',
      blocked: 'The operator has blocked this picture.',
      galleryClosed: 'The gallery takes no more pictures. Start a new one.',
      galleryFull: 'The gallery is full. Finish it, then start a new one.',
      notFinalizable: 'The gallery could not be made public. Please try again.',
      missing: 'Please choose a picture first.',
      /** Its metadata cannot be removed. */
      notStripped:
        'Its location and camera data could not be removed, so it was not sent. To send it as it is, start over without that option.',
      server: 'The mistake is ours. Please try again in a moment.',
      busy: 'The service is busy. Please try again in a moment.',
      slow: 'The connection was too slow. Please try again.',
      storageFull: 'The service has no space left. Please try again later.',
      galleryName: 'The name of the gallery cannot be used: at most 255 characters, no emoji, no < or >.',
    },

    limits: {
      heading: 'Good to know',
      pixelCount: 'Pictures may have up to {megapixels} million pixels.',
      galleries: 'A gallery takes pictures for {hours} hours at most, then it becomes public by itself.',
      forPrograms: 'Programs can upload, too:',
    },
  },

  uploads: {
    heading: 'Your uploads',
    explanation: 'On this device. The list is kept in this browser alone, and never sent.',
    empty: 'Nothing here yet. What you upload in this browser is listed here.',
    needsScript: 'The list is kept in your browser, and made there: this needs JavaScript.',
    filter: 'Filter by name',
    delete: 'Delete',
    deleteName: 'Delete {name}',
    deleteQuestion: 'Delete {name} for good?',
    deleted: '{name} is deleted.',
    deleteFailed: 'It could not be deleted. Please try again in a moment.',
    deleteUnknown: 'This service does not recognize the private link. The entry stays in the list.',
    forgetAll: 'Forget all',
    forgetQuestion:
      'Forget all? The pictures stay online, and without their private links nobody can delete them. Export the list first to keep them.',
    export: 'Export',
    import: 'Import',
    imported: { one: '{count} entry is added.', other: '{count} entries are added.' },
    importFailed: 'This file holds no list of uploads.',
  },

  embed: {
    /** On the button that opens it. */
    button: 'Add pictures',
    explanation: 'What you upload here goes into your text at {site}.',
    insert: 'Insert into the text',
    lost: 'The page with your text cannot be reached any more. Copy the code instead.',
  },

  report: {
    heading: 'Report unlawful content',
    explanation:
      'Tell us about a picture or a gallery that should not be here. A person reads every report. You need no account, and we keep nothing about you but what you write here.',
    url: 'Address of the picture or gallery',
    urlHint: 'Copy it from the address bar of your browser.',
    urlWrong:
      'This is not an address of a picture or gallery of ours. Please copy the whole address from the address bar of your browser.',
    notFound:
      'There is no picture or gallery at this address. It may be deleted already; if not, please check the address.',
    reason: 'What is wrong with it?',
    reasons: {
      illegal: 'It breaks the law',
      child: 'Sexual abuse of a child',
      copyright: 'It infringes a copyright',
      personal: 'It violates my privacy',
      violence: 'Violence or hatred',
      other: 'Something else',
    },
    reasonMissing: 'Please choose what is wrong.',
    details: 'Details',
    detailsHint:
      'What we should know, such as the law that is broken or the work that is yours. At most {maxCharacters} characters.',
    /** For a text that is missing or too long. */
    detailsWrong: 'Please say in at most {maxCharacters} characters what is wrong.',
    contact: 'How to reach you (optional)',
    contactHint: 'An e-mail address, for instance, if you would like an answer.',
    contactWrong: 'Please use at most {maxCharacters} characters.',
    submit: 'Send the report',
    tooMany: 'You have sent many reports in a short time. This one is not sent yet: please try again in a few minutes.',
    unreadable: 'We could not read this form. Please fill it in once more, with a shorter text if it was long.',
    done: { heading: 'Thank you', explanation: 'Your report has arrived. We look at it as soon as we can.' },
  },
} as const
