import { QUICK_START_RESPONSES, REFERENCE_OPERATIONS } from '#generated/contract.ts'
import examples from '../../src/api/examples.json' with { type: 'json' }
import { referenceMarkup } from '../../src/api/reference.tsx'
import { errorsPage, quickStartPage, referencePage } from '../../src/pages/docs/docs-pages.tsx'
import { galleryCodesPage } from '../../src/pages/gallery/gallery-codes-page.tsx'
import { type GalleryImage, type GalleryPageProps, galleryPage } from '../../src/pages/gallery/gallery-page.tsx'
import { type ShowPageProps, showPage } from '../../src/pages/image/show-page.tsx'
import { type AddImagesPageProps, addImagesPage, closedLinkPage } from '../../src/pages/manage/add-images-page.tsx'
import { type ManagePageProps, manageDonePage, managePage } from '../../src/pages/manage/manage-page.tsx'
import { type ReportPageProps, reportDonePage, reportPage } from '../../src/pages/manage/report-page.tsx'
import type { Language } from '../../src/pages/shell/language.ts'
import {
  badRequestPage,
  deletedPage,
  errorPage,
  foreignFormPage,
  limitReachedPage,
  missingGalleryPage,
  missingImagePage,
  notFoundPage,
} from '../../src/pages/shell/notice-pages.tsx'
import type { PageContext } from '../../src/pages/shell/page-context.ts'
import type { Original } from '../../src/pages/shell/sources.ts'
import { uploadPage } from '../../src/pages/upload/upload-page.tsx'
import { type UploadedPageProps, uploadedPage } from '../../src/pages/upload/uploaded-page.tsx'

/** Returns a context in this language, as for an address without `?lang=`. */
export function contextIn(language: Language): PageContext {
  const site = { operatorName: '', tagline: '', uploadNotice: '', links: {}, showsFileLinks: true, hasPreviews: true }
  const address = 'https://one.example/here'
  return { language, languageChosen: false, fromBrowser: true, address, allowStyle() {}, site }
}

export const CONTEXT = contextIn('en')

export const SHOW: ShowPageProps = {
  context: CONTEXT,
  pageUrl: 'https://one.example/show/7/4711_cat.jpg',
  originalUrl: 'https://img1.one.example/images/7/4711_cat.jpg',
  thumbnailUrl: 'https://t1.one.example/thumbs/7/4711_cat.jpg',
  thumbWidth: 350,
  width: 4000,
  height: 3000,
  mayMove: false,
  bytes: 2_411_724,
  formatName: 'JPEG',
  id: 4711,
  name: 'cat.jpg',
  title: 'cat.jpg',
  nsfw: false,
  createdAtMs: Date.UTC(2026, 0, 2, 23, 59, 59),
  oembedUrl: 'https://one.example/oembed?url=x',
}

export const PREVIEW = {
  url: 'https://t1.one.example/previews/7/4711_cat.jpg',
  mediaType: 'image/jpeg',
  width: 1280,
  height: 960,
}

export const GALLERY_LINK = {
  url: 'https://one.example/gallery/abcdefghij',
  title: 'Cats',
  position: 2,
  imageCount: 40,
}

export function galleryImage(id: number, nsfw = false): GalleryImage & Original {
  return {
    width: 4000,
    height: 3000,
    mayMove: false,
    pageUrl: `https://one.example/show/7/${id}_cat.jpg`,
    originalUrl: `https://img1.one.example/images/7/${id}_cat.jpg`,
    thumbnailUrl: `https://t1.one.example/thumbs/7/${id}_cat.jpg`,
    sources: {
      thumbnail: { url: `https://t1.one.example/thumbs/7/${id}_cat.jpg`, width: 200, height: 150 },
      preview: undefined,
      original: { width: 800, height: 600 },
      opaque: true,
      animation: undefined,
    },
    id,
    name: 'cat.jpg',
    title: 'cat.jpg',
    nsfw,
  }
}

export const GALLERY: GalleryPageProps = {
  context: CONTEXT,
  url: GALLERY_LINK.url,
  name: 'Cats',
  images: [galleryImage(1), galleryImage(2)],
  imageCount: 2,
  createdAtMs: Date.UTC(2026, 0, 2, 12),
  page: 1,
  pageCount: 1,
  oembedUrl: 'https://one.example/oembed?url=y',
  codesUrl: `${GALLERY_LINK.url}/codes`,
  downloadUrl: `${GALLERY_LINK.url}/download`,
}

const ADD_IMAGES: Omit<AddImagesPageProps, 'context'> = {
  name: 'Cats & dogs',
  galleryUrl: 'https://one.example/gallery/abcdefghij',
  actionUrl: 'https://one.example/add/x',
  uploadPath: '/guests/x/images',
}

export const MANAGED_GALLERY: ManagePageProps = {
  context: CONTEXT,
  kind: 'gallery',
  publicUrl: GALLERY_LINK.url,
  name: 'Cats',
  imageCount: 2,
  actionUrl: 'https://one.example/manage/TOKEN',
  addUrl: 'https://one.example/manage/TOKEN/images',
}

/** The second page of a gallery's images, the second of which is NSFW. */
export const MANAGED_IMAGES: ManagePageProps['images'] & object = {
  page: 2,
  pageCount: 2,
  previousUrl: 'https://one.example/manage/TOKEN',
  items: [
    {
      path: '1/42_cat.jpg',
      pageUrl: SHOW.pageUrl,
      name: 'cat.jpg',
      thumbnail: { url: SHOW.thumbnailUrl, width: 200, height: 150 },
      caption: 'A cat < a dog',
      alt: 'A cat on a mat',
      isCover: true,
    },
    {
      path: '1/43_a-cat-with-a-long-name.jpg',
      pageUrl: SHOW.pageUrl,
      name: 'a-cat-with-a-long-name.jpg',
      caption: '',
      alt: '',
      isCover: false,
    },
  ],
}

export const MANAGED_IMAGE: ManagePageProps = {
  context: CONTEXT,
  kind: 'image',
  publicUrl: SHOW.pageUrl,
  name: 'cat.jpg',
  texts: { caption: '', alt: '' },
  actionUrl: 'https://one.example/manage/TOKEN',
}

export const UPLOADED: UploadedPageProps = {
  context: CONTEXT,
  pageUrl: SHOW.pageUrl,
  originalUrl: SHOW.originalUrl,
  thumbnailUrl: SHOW.thumbnailUrl,
  thumbWidth: 200,
  thumbHeight: 150,
  name: 'cat.jpg',
  title: 'cat.jpg',
}

export const REPORT: ReportPageProps = {
  context: CONTEXT,
  reasons: ['illegal', 'other'],
  entered: { url: SHOW.pageUrl, reason: '', details: '', contact: '' },
}

const REFERENCE = referenceMarkup({ examples })

/** A file that an operator's program denied, and one that is no image. */
const REFUSED_IMAGES: AddImagesPageProps['refused'] = [
  { name: 'a <cat>.jpg', error: { status: 422, code: 'upload_denied', text: 'Only dogs.' } },
  { name: 'notes.txt', error: { status: 414, code: 'unsupported_image_format', text: '' } },
]

/** Every page in every state that changes its markup. */
export const EVERY_PAGE: Record<string, (context: PageContext) => string> = {
  show: (context) => showPage({ ...SHOW, context }),
  'show, NSFW, in a gallery': (context) =>
    showPage({
      ...SHOW,
      context,
      nsfw: true,
      gallery: { ...GALLERY_LINK, previousUrl: SHOW.pageUrl, nextUrl: SHOW.pageUrl },
    }),
  gallery: (context) => galleryPage({ ...GALLERY, context }),
  'gallery, untitled, NSFW, between pages': (context) =>
    galleryPage({
      ...GALLERY,
      context,
      name: '',
      images: [galleryImage(1, true)],
      imageCount: 201,
      page: 2,
      pageCount: 3,
      previousUrl: GALLERY_LINK.url,
      nextUrl: `${GALLERY_LINK.url}?page=3`,
    }),
  'codes of a gallery': (context) =>
    galleryCodesPage({ ...GALLERY, context, galleryUrl: GALLERY_LINK.url, images: GALLERY.images }),
  'manage an image': (context) =>
    managePage({ ...MANAGED_IMAGE, context, thumbnail: { url: SHOW.thumbnailUrl, width: 200, height: 150 } }),
  'manage a gallery': (context) => managePage({ ...MANAGED_GALLERY, context }),
  'manage a gallery, renamed': (context) => managePage({ ...MANAGED_GALLERY, context, renamedFrom: 'Dogs' }),
  'manage a gallery, image deleted': (context) =>
    managePage({ ...MANAGED_GALLERY, context, images: MANAGED_IMAGES, deletedImage: 'dog.jpg' }),
  'manage a gallery, name refused': (context) =>
    managePage({ ...MANAGED_GALLERY, context, error: 'invalid_name', refusedName: '<b>' }),
  'manage an image, delete not confirmed': (context) =>
    managePage({ ...MANAGED_IMAGE, context, error: 'not_confirmed' }),
  'manage a gallery with a guest link': (context) =>
    managePage({
      ...MANAGED_GALLERY,
      context,
      guests: { url: 'https://one.example/add/x', imageCount: 3, maxImages: 100, expiresAtMs: 1_700_000_000_000 },
    }),
  'add images': (context) => addImagesPage({ ...ADD_IMAGES, context }),
  'add images, some refused': (context) =>
    addImagesPage({ ...ADD_IMAGES, context, name: '', galleryUrl: undefined, added: 2, refused: REFUSED_IMAGES }),
  'closed guest link': (context) => closedLinkPage({ context }),
  'image deleted': (context) => manageDonePage({ context, kind: 'image' }),
  'gallery deleted': (context) => manageDonePage({ context, kind: 'gallery' }),
  'missing picture': (context) => missingImagePage({ context }),
  'missing gallery': (context) => missingGalleryPage({ context }),
  'expired picture': (context) => missingImagePage({ context, isExpired: true }),
  'not found': (context) => notFoundPage({ context }),
  deleted: (context) => deletedPage({ context }),
  'limit reached': (context) => limitReachedPage({ context }),
  'foreign form': (context) => foreignFormPage({ context }),
  'bad request': (context) => badRequestPage({ context }),
  error: (context) => errorPage({ context, requestId: '0123456789abcdef' }),
  upload: (context) => uploadPage({ context, uploadUrl: 'https://one.example/images' }),
  'upload, picture refused': (context) =>
    uploadPage({ context, uploadUrl: 'https://one.example/images', error: 'No picture.' }),
  uploaded: (context) => uploadedPage({ ...UPLOADED, context }),
  'uploaded, smaller, with a private link': (context) =>
    uploadedPage({
      ...UPLOADED,
      context,
      manageUrl: 'https://one.example/manage/TOKEN',
      optimization: { applied: true, originalBytes: 2_000_000, storedBytes: 500_000 },
    }),
  report: (context) => reportPage({ ...REPORT, context }),
  'report, refused': (context) => reportPage({ ...REPORT, context, wrong: ['url', 'reason', 'details', 'contact'] }),
  'report, unknown': (context) => reportPage({ ...REPORT, context, failure: 'notFound' }),
  reported: (context) => reportDonePage({ context }),
  'quick start': (context) =>
    quickStartPage({ context, origin: 'https://one.example', responses: QUICK_START_RESPONSES }),
  reference: (context) => referencePage({ context, reference: REFERENCE, operations: REFERENCE_OPERATIONS }),
  errors: (context) =>
    errorsPage({ context, errors: [{ code: 'missing_field', status: 400, cause: 'A < B.', fix: 'Send B.' }] }),
}

/** Returns the inner texts and attributes of the elements that a real HTML parser finds by a CSS selector. */
export async function select(
  html: string,
  selector: string,
): Promise<{ attributes: Map<string, string>; text: string }[]> {
  const found: { attributes: Map<string, string>; text: string }[] = []
  const rewriter = new HTMLRewriter().on(selector, {
    element(element) {
      found.push({
        attributes: new Map(Array.from(element.attributes, ([name = '', value = '']) => [name, value])),
        text: '',
      })
    },
    text(chunk) {
      const last = found.at(-1)
      if (last) last.text += chunk.text
    },
  })
  await rewriter.transform(new Response(html)).text()
  return found
}
