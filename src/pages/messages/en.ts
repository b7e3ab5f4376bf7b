/** The texts in English. The types of all languages and of the pages are made of them: see types.ts. */
export const en = {
  /** On every page. */
  homeLink: 'Go to the home page',
  skipToContent: 'Skip to content',
  languages: 'Languages',
  reportLink: 'Report illegal content',
  /** The choice of a language and a theme. */
  menu: 'Language and theme',
  theme: 'Theme',
  themes: { auto: 'Same as device', light: 'Light', dark: 'Dark' },
  /** Uploads from other programs. */
  tools: 'Tools',
  /** Names the operator. */
  runBy: 'Run by {name}',
  /** Footer links of an operator. */
  legal: { terms: 'Terms of use', privacy: 'Privacy', imprint: 'Legal notice', contact: 'Contact' },

  /** The warning in front of NSFW images. */
  adultContent: 'Adult content',
  adultContentInGallery: 'This gallery has adult content',
  /** The source of the adult content rating. */
  adultContentMarkedBy: 'Marked as adult content by the uploader.',
  showAdultImage: 'Show picture',
  showAdultImages: 'Show pictures',
  /** The public name of a gallery whose name is empty (gallery name rule 4). */
  untitledGallery: 'Untitled gallery',
  gallery: 'Gallery',

  /** Guests of a gallery: on its management page, and the page of their link. */
  guests: {
    heading: 'Guests',
    explanation:
      'With a link for guests, others can add pictures to this gallery. They can’t change or delete anything.',
    link: 'Link for guests',
    create: 'Create link',
    close: 'Close link',
    maxImages: 'Limit of pictures',
    days: 'Days until it closes',
    noLimit: 'Leave empty for no limit.',
    addedByGuests: 'Added by guests',
    closesOn: 'Closes on',
    add: 'Add pictures',
    addExplanation: 'Your pictures go into this gallery. Its owner can remove them.',
    added: 'Pictures added: {count}',
    closed: { heading: 'This link is closed', explanation: 'Ask the person who gave it to you for a new one.' },
  },
  /** Before the time at which an image or gallery is gone, and its choice. */
  expires: 'Expires',
  /** The choice of a time: it stays. */
  expiresNever: 'Never',
  /** On the page of an image or gallery that expired. */
  expiredHint: 'It was shared for a limited time, which is over.',

  imagePage: {
    facts: 'About this picture',
    dimensions: 'Dimensions',
    pixels: '{width} × {height}',
    fileSize: 'File size',
    format: 'Format',
    uploaded: 'Uploaded',
    fullSize: 'Full size',
    /** The link to the original, by the size of its file. */
    original: 'Original, {size}',
    /** Unfolds a tall image. */
    showAll: 'Show all',
    download: 'Download',
    /** Before the title of the gallery. */
    positionIn: '{position} of {count} in {gallery}',
    /** Names the links to the other images of the gallery. */
    neighbours: 'Pictures in this gallery',
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
    ofAllImages: 'Embed codes for all pictures',
    /** The target of a link, in the choice between links and codes. */
    page: 'Page',
    file: 'File',
    /** The link to the codes of a gallery. */
    codes: 'Embed codes',
    html: 'HTML',
    markdown: 'Markdown',
    bbcode: 'BBCode',
    /** The image in a code: the thumbnail, linked to the page, the preview of 1280 pixels, or the original. */
    thumbnail: 'Linked thumbnail',
    preview: 'Medium-size picture',
    full: 'Full-size picture',
    copy: 'Copy',
    copied: 'Copied',
    copyFailed: 'Couldn’t copy',
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
      explanation: 'Anyone with this link can delete the picture. Don’t share it.',
      deleteHeading: 'Delete picture',
      deleteWarning: 'This permanently deletes the picture, its page and its thumbnail. You can’t undo this.',
      deleteButton: 'Delete picture',
      deleted: {
        heading: 'Picture deleted',
        explanation: 'Visitors now see that it was deleted. You no longer need this link.',
      },
    },
    gallery: {
      heading: 'Manage your gallery',
      explanation: 'Anyone with this link can change or delete the gallery. Don’t share it.',
      deleteHeading: 'Delete gallery',
      deleteWarning: 'This permanently deletes the gallery and all its pictures. You can’t undo this.',
      deleteButton: 'Delete gallery',
      deleted: {
        heading: 'Gallery deleted',
        explanation: 'All its pictures were deleted too. You no longer need this link.',
      },
    },
  },
  publicPage: 'Public page',
  rename: 'Rename gallery',
  nameLabel: 'Name',
  nameHint: 'Optional. Up to {maxCharacters} characters, without emoji, < or >. The link stays the same.',
  renameButton: 'Rename',
  renamed: 'Gallery renamed.',
  invalidName: 'Use a name of up to {maxCharacters} characters, without emoji, line breaks, < or >.',
  confirmDelete: 'Yes, delete permanently',
  confirmMissing: 'Nothing has been deleted. Tick the box to confirm.',

  /** Changes of a gallery's images by its private link. */
  editing: {
    add: 'Add pictures',
    adding: 'Adding {position} of {count}…',
    earlier: 'Move earlier',
    later: 'Move later',
    edit: 'Edit caption',
    caption: 'Caption',
    alt: 'Alternative text',
    altHint: 'Describes the picture for people who can’t see it.',
    save: 'Save',
    saved: 'Saved.',
    /** Shown while moves wait for the time that the service said. */
    paused: {
      limited: 'Your network has made too many changes. Saving resumes at {time}.',
      busy: 'The service is busy. Saving resumes at {time}.',
    },
    /** Before the reason: moveOutdated, or a sentence of upload.errors. */
    moveFailed: 'The new order wasn’t saved.',
    moveOutdated: 'Some pictures were deleted in the meantime. Reload this page to see the current order.',
    tooLong: 'Use up to {maxCharacters} characters.',
    makeCover: 'Use as cover',
    cover: 'Cover',
  },

  missingImage: {
    heading: 'Picture not found',
    explanation: 'It may have been deleted or not published yet, or the link is wrong.',
  },
  missingGallery: {
    heading: 'Gallery not found',
    explanation: 'It may have been deleted or not published yet, or the link is wrong.',
  },
  notFound: { heading: 'Page not found', explanation: 'Check the link and try again.' },
  deletedNotice: {
    heading: 'Already deleted',
    explanation: 'The picture or gallery behind this link was deleted. You no longer need the link.',
  },
  /** A limit of the operator's (429). */
  limitReached: {
    heading: 'Too many uploads',
    explanation: 'Your network has reached the hourly limit. Please try again later.',
  },
  /** A form was sent by a page of another site (403). */
  foreignForm: {
    heading: 'This form was sent from another site',
    explanation: 'Nothing has changed. Open the page on this site and try again.',
  },
  /** The form or the address is wrong (4xx). */
  badRequest: {
    heading: 'Couldn’t process the form',
    explanation: 'Part of the form was missing. Go back and try again.',
  },
  error: {
    heading: 'Something went wrong',
    explanation: 'This is a problem on our side. Please try again in a moment.',
  },
  requestId: 'Error ID (include it if you report this)',

  upload: {
    heading: 'Upload and share pictures',
    summary: 'Share pictures with a link. No account, no ads, no tracking.',
    choose: 'Choose pictures',
    chooseFolder: 'Choose a folder',
    takePhoto: 'Take a photo',
    dropOrPaste: 'or drag and drop, or paste from the clipboard',
    dropHere: 'Drop pictures to add them',
    /** The accepted formats and the maximum size. */
    accepted: '{formats}, up to {size} each',
    options: 'Options',
    adult: 'Adult content',
    adultHint: 'Pictures stay hidden until the viewer chooses to see them.',
    strip: 'Remove location and camera data',
    stripHint: 'Done in your browser before upload. The image itself doesn’t change.',
    /** The label of `optimize_for_web` where no script can remove metadata alone. */
    stripPlain: 'Remove location and camera data, and make large photos smaller',
    /** Marks of a file in the list, by what will be done with its location. */
    hasLocation: 'Has location data',
    losesLocation: 'Location removed',
    smaller: 'Reduce file size',
    smallerHint: 'Resizes large photos and removes metadata such as location.',
    previewSize: 'Thumbnail size',
    previewSizes: { small: 'Small', medium: 'Medium', large: 'Large' },
    privateLinks: 'Create deletion links',
    privateLinksHint: 'Shown only once, right after the upload.',
    oneGallery: 'Put all in one gallery',
    galleryName: 'Name of the gallery',
    galleryHint: 'Optional',
    start: { one: 'Upload {count} picture', other: 'Upload {count} pictures' },
    startOne: 'Upload',
    addMore: 'Add more',
    clear: 'Start over',

    /** The states of a file in the list. */
    files: 'Your pictures',
    waiting: 'Waiting',
    sending: 'Uploading, {percent}',
    processing: 'Processing',
    done: 'Done',
    remove: 'Remove {name}',
    retry: 'Try {name} again',
    retryButton: 'Try again',
    retryAll: 'Retry all failed',
    /** Makes a gallery public without the images that failed. */
    finishAnyway: 'Publish without them',
    pause: 'Pause',
    stopped: 'Paused',
    resume: 'Resume',
    offline: 'You’re offline. The upload resumes when you’re back online.',
    /** The state of a file that waits for the connection. */
    held: 'Waiting for connection',

    /** The progress of the whole batch, also announced by screen readers. */
    progress: '{done} of {total} uploaded',
    allDone: { one: '{count} picture uploaded.', other: 'All {count} pictures uploaded.' },
    timeLeft: '{time} left',
    someFailed: { one: '{count} picture could not be uploaded.', other: '{count} pictures could not be uploaded.' },
    /** Shown while the script waits for the time that the service said. */
    paused: {
      limited: 'Your network has reached the upload limit. Uploading resumes at {time}.',
      busy: 'The service is busy. Uploading resumes at {time}.',
    },

    results: 'Ready to share',
    galleryReady: 'Your gallery',
    /** The label of the choice between `codes.thumbnail`, `codes.preview` and `codes.full`. */
    codesShow: 'Show in embed code',
    /** The label of a field with the codes of all images. */
    allImages: 'All pictures',
    openPage: 'Open the page',
    another: 'Upload more',
    saved: '{before} → {after} ({percent} smaller)',
    notSmaller: 'Already as small as possible',
    /** After `saved` or `stripped`, as `resized` is. */
    converted: 'converted to WebP',
    unchanged: 'Kept as it is (GIF, AVIF or animation)',
    /** By less than is worth a percentage. */
    stripped: 'Metadata removed',
    resized: 'resized to {width} × {height} pixels',

    deleteLink: 'Delete link',
    managementHeading: 'Deletion links',
    managementWarning:
      'Save these links now. They won’t be shown again. Anyone who has one can delete the picture or gallery.',

    share: 'Share…',
    open: 'Open',
    copyLink: 'Copy link',
    qrCode: 'QR code',
    remembered: 'Saved on this device',
    dontRemember: 'Don’t save',
    remember: 'Save on this device',
    managementHint: 'Anyone with one of these links can delete the picture or gallery. Don’t share them.',

    /** The choices for uploaded images when starting over. */
    startingOver: {
      sent: { one: '{count} picture is already uploaded.', other: '{count} pictures are already uploaded.' },
      question: 'Delete or keep the uploaded pictures?',
      delete: 'Delete pictures',
      keep: 'Keep pictures',
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
      left: { one: '{count} file was not added.', other: '{count} files were not added.' },
      limit: 'You can share up to {files} files and {size} at once, if the device has enough space.',
      interrupted: 'The share was interrupted. Share the missing files again.',
    },

    /** Files that cannot be uploaded as they are, and their cures. */
    unfit: {
      heading: {
        one: '{count} file needs changes before upload',
        other: '{count} files need changes before upload',
      },
      tooBig: 'Larger than {size} or {megapixels} megapixels.',
      makeSmaller: 'Make smaller',
      convertible: 'This format cannot be uploaded, but your browser can convert it.',
      convert: 'Convert to JPEG',
      unreadable: 'This format cannot be uploaded, and your browser cannot convert it. Save it as JPEG first.',
      curing: 'One moment…',
      failed: '{name} could not be read in this browser.',
      close: 'Close',
      fetching: 'Getting the picture…',
      fetchFailed:
        'That site doesn’t allow its pictures to be loaded from here. Save the picture, then choose it here.',
    },

    /** Announced when a file has another place in the list. */
    moved: '{name} is now {position} of {total}',
    orderHint: 'Drag to reorder, or press Alt and an arrow key.',

    /** Why a file was refused, and what to do. */
    errors: {
      network: 'Connection lost. Please try again.',
      tooLarge: 'The file is larger than {size}.',
      unsupportedFormat: 'This file type isn’t supported. Accepted formats: {formats}.',
      damaged: 'The picture is damaged.',
      tooManyPixels: 'The picture has too many pixels. Please make it smaller.',
      blocked: 'The operator has blocked this picture.',
      denied: 'The operator did not accept this picture.',
      human: 'Confirm above that you are human, then try again.',
      galleryClosed: 'This gallery no longer accepts pictures. Start a new one.',
      galleryFull: 'The gallery is full. Publish it, then start a new one.',
      notFinalizable: 'The gallery could not be published. Please try again.',
      missing: 'Please choose a picture first.',
      /** Its metadata cannot be removed. */
      notStripped:
        'Couldn’t remove location and camera data, so the picture wasn’t uploaded. To upload it anyway, start over with that option off.',
      busy: 'The service is busy. Please try again in a moment.',
      slow: 'The connection was too slow. Please try again.',
      storageFull: 'The service is out of space. Please try again later.',
      keyRequired: 'Uploading needs a key. Try again, and enter yours as the password.',
    },

    /** In place of the check for humans, in a browser without scripts. */
    humanNeedsScript: 'To upload, turn on JavaScript and reload this page. It confirms that you are human.',
    /** In place of the check for humans, where the browser or the network blocks its script. */
    humanBlocked: 'The check that you are human couldn’t load. Allow {host} in your ad blocker, then reload this page.',

    limits: {
      heading: 'Good to know',
      pixelCount: 'Up to {megapixels} megapixels per picture.',
      galleries: 'You can add pictures to a gallery for up to {duration}. Then it is published automatically.',
      forPrograms: 'Upload from the command line or an app:',
    },
  },

  uploads: {
    heading: 'Your uploads',
    explanation: 'This list is stored only in this browser and is never sent to us.',
    empty: 'No uploads yet. Pictures you upload in this browser appear here.',
    needsScript: 'This list needs JavaScript; it is kept only in your browser.',
    filter: 'Filter by name',
    selectAll: 'Select all',
    selected: 'Selected: {count}',
    copyLinks: 'Copy links',
    delete: 'Delete',
    deleteName: 'Delete {name}',
    deleteQuestion: 'Permanently delete {name}?',
    deleted: '{name} deleted.',
    deleteFailed: 'Couldn’t delete it. Please try again in a moment.',
    deleteUnknown: 'This service does not recognize the deletion link. The entry stays in the list.',
    forgetAll: 'Clear list',
    forgetQuestion:
      'Clear the list? Your pictures stay online, but you can’t delete them without their deletion links. Export the list first to keep the links.',
    export: 'Export',
    import: 'Import',
    imported: { one: '{count} entry added.', other: '{count} entries added.' },
    importFailed: 'This file isn’t an exported list of uploads.',
  },

  embed: {
    /** On the button that opens it. */
    button: 'Add pictures',
    explanation: 'Pictures you upload here are added to your text on {site}.',
    insert: 'Insert into text',
    lost: 'Can’t reach the page with your text. Copy the code instead.',
  },

  report: {
    heading: 'Report illegal content',
    explanation:
      'Tell us about a picture or gallery that should not be here. A person reads every report. You don’t need an account. We store only what you enter here.',
    url: 'Link to the picture or gallery',
    urlHint: 'Copy it from your browser’s address bar.',
    urlWrong:
      'This isn’t a link to a picture or gallery on this site. Copy the full link from your browser’s address bar.',
    notFound: 'There is no picture or gallery at this link. It may already be deleted. If not, check the link.',
    reason: 'What is wrong with it?',
    reasons: {
      illegal: 'Illegal content',
      child: 'Sexual abuse of a child',
      copyright: 'Copyright infringement',
      personal: 'Privacy violation',
      violence: 'Violence or hatred',
      other: 'Something else',
    },
    reasonMissing: 'Please choose what is wrong.',
    details: 'Details',
    detailsHint: 'For example, which law it breaks or which work is yours. Up to {maxCharacters} characters.',
    /** For a text that is missing or too long. */
    detailsWrong: 'Describe the problem in up to {maxCharacters} characters.',
    contact: 'How to reach you (optional)',
    contactHint: 'For example an email address, if you would like a reply.',
    contactWrong: 'Use up to {maxCharacters} characters.',
    submit: 'Send report',
    tooMany: 'You have sent many reports in a short time. This one was not sent. Please try again in a few minutes.',
    unreadable: 'We couldn’t read the form. Please fill it in again. If your text was long, shorten it.',
    done: { heading: 'Report sent', explanation: 'Thank you. We’ll review it as soon as we can.' },
  },
} as const
