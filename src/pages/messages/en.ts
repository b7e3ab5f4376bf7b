import type { Messages } from '../messages.ts'

export const en: Messages = {
  adultContent: 'Adult content',
  adultContentInGallery: 'This gallery holds adult content',
  untitledGallery: 'Untitled gallery',
  gallery: 'Gallery',

  uploaded: 'Uploaded',
  dimensions: 'Size',
  pixels: (width, height) => `${width} × ${height} pixels`,
  share: 'Share',
  shareLink: 'Link',
  shareBbcode: 'BBCode, for forums',
  shareHtml: 'HTML, for websites',

  imageCount: { one: '{count} picture', other: '{count} pictures' },
  pageOf: (page, pageCount) => `Page ${page} of ${pageCount}`,
  pages: 'Pages',
  previousPage: 'Previous page',
  nextPage: 'Next page',

  managed: {
    image: {
      heading: 'Manage your picture',
      explanation: 'Whoever has the address of this page can delete the picture. Keep it to yourself.',
      deleteHeading: 'Delete the picture',
      deleteWarning: 'The picture, its page and its thumbnail disappear for good. This cannot be undone.',
      deleteButton: 'Delete the picture for good',
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
      deleteButton: 'Delete the gallery and its pictures for good',
      deleted: {
        heading: 'The gallery is deleted',
        explanation: 'All its pictures are deleted too. This address has no further use.',
      },
    },
  },
  publicPage: 'Public page',
  rename: 'Rename the gallery',
  nameLabel: 'Name',
  nameHint: (maxCharacters) =>
    `At most ${maxCharacters} characters, no emoji and no < or >. It may be empty. The address stays the same.`,
  renameButton: 'Rename',
  renamed: 'The gallery has its new name.',
  invalidName: (maxCharacters) =>
    `This name cannot be used: at most ${maxCharacters} characters, no emoji, no line breaks or control characters, no < or >.`,

  missingPicture: {
    heading: 'No picture here',
    explanation: 'It was deleted, is not public yet, or the address is wrong.',
  },
  missingGallery: {
    heading: 'No gallery here',
    explanation: 'It was deleted, is not public yet, or the address is wrong.',
  },
  notFound: { heading: 'There is nothing here', explanation: 'Please check the address.' },
  gone: { heading: 'Already deleted', explanation: 'What this address managed was deleted. It has no further use.' },
  error: { heading: 'Something went wrong', explanation: 'The mistake is ours. Please try again in a moment.' },
  requestId: 'Number of this request, if you report it',
  homeLink: 'To the front page',

  home: {
    heading: 'A home for your pictures',
    summary: 'Send a picture, get a page to share and a thumbnail. No account, no key.',
    formatsAndLimits: 'Formats and limits',
    formats: (formats) => `Formats: ${formats}`,
    fileSize: (size) => `At most ${size} a picture`,
    pixelCount: (megapixels) => `At most ${megapixels} million pixels a picture`,
    thumbnails: (min, max) => `Thumbnails from ${min} to ${max} pixels`,
    galleries: (hours) => `Galleries that take pictures for ${hours} hours, then become public`,
    api: 'For programs',
    apiSummary: 'Pictures arrive by an HTTP API. This is all it takes:',
  },
}
