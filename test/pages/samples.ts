import type { GalleryImage, GalleryPageProps } from '../../src/pages/gallery-page.tsx'
import { galleryPage } from '../../src/pages/gallery-page.tsx'
import { homePage } from '../../src/pages/home-page.tsx'
import type { Language } from '../../src/pages/language.ts'
import type { ManagePageProps } from '../../src/pages/manage-page.tsx'
import { manageDonePage, managePage } from '../../src/pages/manage-page.tsx'
import {
  errorPage,
  gonePage,
  missingGalleryPage,
  missingPicturePage,
  notFoundPage,
} from '../../src/pages/notice-pages.tsx'
import type { ShowPageProps } from '../../src/pages/show-page.tsx'
import { showPage } from '../../src/pages/show-page.tsx'

export const SHOW: ShowPageProps = {
  language: 'en',
  pageUrl: 'https://one.example/show/7/4711_cat.jpg',
  originalUrl: 'https://img1.one.example/images/7/4711_cat.jpg',
  thumbnailUrl: 'https://t1.one.example/thumbs/7/4711_cat.jpg',
  thumbWidth: 200,
  thumbHeight: 150,
  width: 4000,
  height: 3000,
  id: 4711,
  name: 'cat.jpg',
  nsfw: false,
  createdAtMs: Date.UTC(2026, 0, 2, 23, 59, 59),
}

export const GALLERY_LINK = { url: 'https://one.example/gallery/abcdefghij', title: 'Cats' }

export function galleryImage(id: number, nsfw = false): GalleryImage {
  return {
    showUrl: `https://one.example/show/7/${id}_cat.jpg`,
    thumbnailUrl: `https://t1.one.example/thumbs/7/${id}_cat.jpg`,
    thumbWidth: 200,
    thumbHeight: 150,
    idName: `${id}_cat.jpg`,
    nsfw,
  }
}

export const GALLERY: GalleryPageProps = {
  language: 'en',
  url: GALLERY_LINK.url,
  name: 'Cats',
  images: [galleryImage(1), galleryImage(2)],
  imageCount: 2,
  page: 1,
  pageCount: 1,
}

export const MANAGED_GALLERY: ManagePageProps = {
  language: 'en',
  kind: 'gallery',
  publicUrl: GALLERY_LINK.url,
  name: 'Cats',
  imageCount: 2,
  actionUrl: 'https://one.example/manage/TOKEN',
}

export const MANAGED_IMAGE: ManagePageProps = {
  language: 'en',
  kind: 'image',
  publicUrl: SHOW.pageUrl,
  name: 'cat.jpg',
  actionUrl: 'https://one.example/manage/TOKEN',
}

/** Every page in every state that changes its markup. */
export const EVERY_PAGE: Record<string, (language: Language) => string> = {
  show: (language) => showPage({ ...SHOW, language }),
  'show, NSFW, in a gallery': (language) => showPage({ ...SHOW, language, nsfw: true, gallery: GALLERY_LINK }),
  gallery: (language) => galleryPage({ ...GALLERY, language }),
  'gallery, untitled, NSFW, between pages': (language) =>
    galleryPage({
      ...GALLERY,
      language,
      name: '',
      images: [galleryImage(1, true)],
      imageCount: 201,
      page: 2,
      pageCount: 3,
      previousUrl: GALLERY_LINK.url,
      nextUrl: `${GALLERY_LINK.url}?page=3`,
    }),
  'manage an image': (language) => managePage({ ...MANAGED_IMAGE, language }),
  'manage a gallery': (language) => managePage({ ...MANAGED_GALLERY, language }),
  'manage a gallery, renamed': (language) => managePage({ ...MANAGED_GALLERY, language, message: 'renamed' }),
  'manage a gallery, name refused': (language) =>
    managePage({ ...MANAGED_GALLERY, language, error: 'invalid_name', refusedName: '<b>' }),
  'image deleted': (language) => manageDonePage({ language, kind: 'image' }),
  'gallery deleted': (language) => manageDonePage({ language, kind: 'gallery' }),
  'missing picture': (language) => missingPicturePage({ language }),
  'missing gallery': (language) => missingGalleryPage({ language }),
  'not found': (language) => notFoundPage({ language }),
  gone: (language) => gonePage({ language }),
  error: (language) => errorPage({ language, requestId: '0123456789abcdef' }),
  home: (language) => homePage({ language, uploadUrl: 'https://api.one.example/images' }),
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
