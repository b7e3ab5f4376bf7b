import { REFERENCE_MARKUP } from '#generated/contract.ts'
import { errorsPage, quickStartPage, referencePage } from '../../src/pages/docs-pages.tsx'
import type { Frame } from '../../src/pages/frame.ts'
import { galleryCodesPage } from '../../src/pages/gallery-codes-page.tsx'
import type { GalleryImage, GalleryPageProps } from '../../src/pages/gallery-page.tsx'
import { galleryPage } from '../../src/pages/gallery-page.tsx'
import type { Language } from '../../src/pages/language.ts'
import type { ManagePageProps } from '../../src/pages/manage-page.tsx'
import { manageDonePage, managePage } from '../../src/pages/manage-page.tsx'
import {
  badRequestPage,
  errorPage,
  gonePage,
  missingGalleryPage,
  missingPicturePage,
  notFoundPage,
} from '../../src/pages/notice-pages.tsx'
import { type ReportPageProps, reportDonePage, reportPage } from '../../src/pages/report-page.tsx'
import type { ShowPageProps } from '../../src/pages/show-page.tsx'
import { showPage } from '../../src/pages/show-page.tsx'
import { uploadPage } from '../../src/pages/upload-page.tsx'
import { type UploadedPageProps, uploadedPage } from '../../src/pages/uploaded-page.tsx'

/** A frame in this language, as an address without `?lang=` gives it. */
export function frameIn(language: Language): Frame {
  return { language, languageChosen: false, address: 'https://one.example/here', nonce: 'n0nce' }
}

export const FRAME = frameIn('en')

export const SHOW: ShowPageProps = {
  frame: FRAME,
  pageUrl: 'https://one.example/show/7/4711_cat.jpg',
  originalUrl: 'https://img1.one.example/images/7/4711_cat.jpg',
  thumbnailUrl: 'https://t1.one.example/thumbs/7/4711_cat.jpg',
  width: 4000,
  height: 3000,
  bytes: 2_411_724,
  formatName: 'JPEG',
  id: 4711,
  name: 'cat.jpg',
  nsfw: false,
  createdAtMs: Date.UTC(2026, 0, 2, 23, 59, 59),
  oembedUrl: 'https://one.example/oembed?url=x',
}

export const GALLERY_LINK = { url: 'https://one.example/gallery/abcdefghij', title: 'Cats' }

export function galleryImage(id: number, nsfw = false): GalleryImage {
  return {
    pageUrl: `https://one.example/show/7/${id}_cat.jpg`,
    originalUrl: `https://img1.one.example/images/7/${id}_cat.jpg`,
    thumbnailUrl: `https://t1.one.example/thumbs/7/${id}_cat.jpg`,
    thumbWidth: 200,
    thumbHeight: 150,
    id,
    name: 'cat.jpg',
    nsfw,
  }
}

export const GALLERY: GalleryPageProps = {
  frame: FRAME,
  url: GALLERY_LINK.url,
  name: 'Cats',
  images: [galleryImage(1), galleryImage(2)],
  imageCount: 2,
  page: 1,
  pageCount: 1,
  oembedUrl: 'https://one.example/oembed?url=y',
  codesUrl: `${GALLERY_LINK.url}/codes`,
}

export const MANAGED_GALLERY: ManagePageProps = {
  frame: FRAME,
  kind: 'gallery',
  publicUrl: GALLERY_LINK.url,
  name: 'Cats',
  imageCount: 2,
  actionUrl: 'https://one.example/manage/TOKEN',
}

export const MANAGED_IMAGE: ManagePageProps = {
  frame: FRAME,
  kind: 'image',
  publicUrl: SHOW.pageUrl,
  name: 'cat.jpg',
  actionUrl: 'https://one.example/manage/TOKEN',
}

export const UPLOADED: UploadedPageProps = {
  frame: FRAME,
  pageUrl: SHOW.pageUrl,
  originalUrl: SHOW.originalUrl,
  thumbnailUrl: SHOW.thumbnailUrl,
  thumbWidth: 200,
  thumbHeight: 150,
  name: 'cat.jpg',
}

export const REPORT: ReportPageProps = {
  frame: FRAME,
  reasons: ['illegal', 'other'],
  entered: { url: SHOW.pageUrl, reason: '', details: '', contact: '' },
}

/** Every page in every state that changes its markup. */
export const EVERY_PAGE: Record<string, (frame: Frame) => string> = {
  show: (frame) => showPage({ ...SHOW, frame }),
  'show, NSFW, in a gallery': (frame) =>
    showPage({
      ...SHOW,
      frame,
      nsfw: true,
      gallery: { ...GALLERY_LINK, previousUrl: SHOW.pageUrl, nextUrl: SHOW.pageUrl },
    }),
  gallery: (frame) => galleryPage({ ...GALLERY, frame }),
  'gallery, untitled, NSFW, between pages': (frame) =>
    galleryPage({
      ...GALLERY,
      frame,
      name: '',
      images: [galleryImage(1, true)],
      imageCount: 201,
      page: 2,
      pageCount: 3,
      previousUrl: GALLERY_LINK.url,
      nextUrl: `${GALLERY_LINK.url}?page=3`,
    }),
  'codes of a gallery': (frame) =>
    galleryCodesPage({ ...GALLERY, frame, galleryUrl: GALLERY_LINK.url, pictures: GALLERY.images }),
  'manage an image': (frame) =>
    managePage({ ...MANAGED_IMAGE, frame, thumbnail: { url: SHOW.thumbnailUrl, width: 200, height: 150 } }),
  'manage a gallery': (frame) => managePage({ ...MANAGED_GALLERY, frame }),
  'manage a gallery, renamed': (frame) => managePage({ ...MANAGED_GALLERY, frame, message: 'renamed' }),
  'manage a gallery, name refused': (frame) =>
    managePage({ ...MANAGED_GALLERY, frame, error: 'invalid_name', refusedName: '<b>' }),
  'manage an image, delete not confirmed': (frame) => managePage({ ...MANAGED_IMAGE, frame, error: 'not_confirmed' }),
  'image deleted': (frame) => manageDonePage({ frame, kind: 'image' }),
  'gallery deleted': (frame) => manageDonePage({ frame, kind: 'gallery' }),
  'missing picture': (frame) => missingPicturePage({ frame }),
  'missing gallery': (frame) => missingGalleryPage({ frame }),
  'not found': (frame) => notFoundPage({ frame }),
  gone: (frame) => gonePage({ frame }),
  'bad request': (frame) => badRequestPage({ frame }),
  error: (frame) => errorPage({ frame, requestId: '0123456789abcdef' }),
  upload: (frame) => uploadPage({ frame, uploadUrl: 'https://one.example/images' }),
  'upload, picture refused': (frame) =>
    uploadPage({ frame, uploadUrl: 'https://one.example/images', error: 'No picture.' }),
  uploaded: (frame) => uploadedPage({ ...UPLOADED, frame }),
  'uploaded, smaller, with a private link': (frame) =>
    uploadedPage({
      ...UPLOADED,
      frame,
      manageUrl: 'https://one.example/manage/TOKEN',
      optimization: { applied: true, originalBytes: 2_000_000, storedBytes: 500_000 },
    }),
  report: (frame) => reportPage({ ...REPORT, frame }),
  'report, refused': (frame) => reportPage({ ...REPORT, frame, wrong: ['url', 'reason', 'details', 'contact'] }),
  'report, unknown': (frame) => reportPage({ ...REPORT, frame, trouble: 'notFound' }),
  reported: (frame) => reportDonePage({ frame }),
  'quick start': (frame) => quickStartPage({ frame, origin: 'https://one.example' }),
  reference: (frame) => referencePage({ frame, reference: REFERENCE_MARKUP }),
  errors: (frame) =>
    errorsPage({ frame, errors: [{ code: 'missing_field', status: 400, cause: 'A < B.', cure: 'Send B.' }] }),
}

/** The inner texts and attributes that a real HTML parser finds by a CSS selector. */
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
