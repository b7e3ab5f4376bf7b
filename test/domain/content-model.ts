/**
 * The specification of one gallery with its images, or of one standalone image: the responses of each operation, and
 * its effect on the state. It has no storage and no time.
 */

/** An image that is stored. */
interface ModelImage {
  name: string
  /** Its sequence number in the order of arrival (D27). */
  sequenceNumber: number
  isHidden: boolean
  isDeleted: boolean
  /** Whether it expires before the cron runs, and after the requests of clients. */
  expires?: true
}

/** A gallery with all its images, or standalone images without a gallery. */
export interface ModelContent {
  gallery?: { state: 'open' | 'public' | 'deleted'; name: string; isHidden: boolean; expires?: true }
  images: readonly ModelImage[]
  /** The guest link of the gallery, and how many images it accepts. Subjects know the first link only. */
  guestLink?: { isFirst: boolean; isClosed: boolean; imagesLeft: number }
  /** Whether the request with an Idempotency-Key was done. */
  isKeyDone?: boolean
}

/** Responses and effects of an operation. Each of several outcomes is allowed. */
type Outcomes = (readonly [response: string, after: ModelContent])[]

/** One operation on the content. */
export type ContentStep = (content: ModelContent) => Outcomes

/** An empty gallery that accepts uploads. */
export const OPEN_GALLERY: ModelContent = { gallery: { state: 'open', name: '', isHidden: false }, images: [] }

const isGalleryDeleted = ({ gallery }: ModelContent) => gallery?.state === 'deleted'
const imageOf = ({ images }: ModelContent, name: string) => images.find((image) => image.name === name)

/** Returns the images that the gallery shows, in their order. */
export function shownImages({ images }: ModelContent): ModelImage[] {
  return images
    .filter(({ isHidden, isDeleted }) => !isHidden && !isDeleted)
    .sort((one, other) => one.sequenceNumber - other.sequenceNumber)
}

function changeGallery(content: ModelContent, change: Partial<ModelContent['gallery'] & object>): ModelContent {
  return content.gallery ? { ...content, gallery: { ...content.gallery, ...change } } : content
}

function changeImage(content: ModelContent, name: string, change: Partial<ModelImage>): ModelContent {
  return { ...content, images: content.images.map((image) => (image.name === name ? { ...image, ...change } : image)) }
}

/** Uploads into the gallery, or a standalone image. */
export function upload(name: string, sequenceNumber: number): ContentStep {
  return (content) => {
    if (isGalleryDeleted(content)) return [['gallery_not_found', content]]
    if (content.gallery?.state === 'public') return [['gallery_already_finalized', content]]
    const image = { name, sequenceNumber, isHidden: false, isDeleted: false }
    return [['done', { ...content, images: [...content.images, image] }]]
  }
}

/** Adds an image to the gallery by its management token. */
export function addImage(name: string, sequenceNumber: number): ContentStep {
  return (content) => {
    if (isGalleryDeleted(content)) return [['content_deleted', content]]
    const image = { name, sequenceNumber, isHidden: false, isDeleted: false }
    return [['done', { ...content, images: [...content.images, image] }]]
  }
}

/** Adds an image to the gallery by its first guest link. */
export function addGuestImage(name: string, sequenceNumber: number): ContentStep {
  return (content) => {
    const { guestLink } = content
    if (isGalleryDeleted(content) || !guestLink?.isFirst) return [['guest_link_not_found', content]]
    if (guestLink.isClosed) return [['guest_link_closed', content]]
    if (guestLink.imagesLeft === 0) return [['guest_link_full', content]]
    const image = { name, sequenceNumber, isHidden: false, isDeleted: false }
    const used = { ...guestLink, imagesLeft: guestLink.imagesLeft - 1 }
    return [['done', { ...content, images: [...content.images, image], guestLink: used }]]
  }
}

/** Closes the guest link. */
export const closeGuestLink: ContentStep = (content) => {
  if (isGalleryDeleted(content)) return [['content_deleted', content]]
  const { guestLink } = content
  return [['done', guestLink ? { ...content, guestLink: { ...guestLink, isClosed: true } } : content]]
}

/** Puts a guest link for this many images in the place of the present one. */
export function replaceGuestLink(imagesLeft: number): ContentStep {
  return (content) =>
    isGalleryDeleted(content)
      ? [['content_deleted', content]]
      : [['done', { ...content, guestLink: { isFirst: false, isClosed: false, imagesLeft } }]]
}

/** Moves an image to the beginning: before all that are shown. */
export function moveToBeginning(name: string): ContentStep {
  return (content) => {
    if (isGalleryDeleted(content)) return [['content_deleted', content]]
    const image = imageOf(content, name)
    if (!image || image.isDeleted || image.isHidden) return [['done', content]]
    const least = Math.min(...content.images.map(({ sequenceNumber }) => sequenceNumber))
    return [['done', changeImage(content, name, { sequenceNumber: least - 1 })]]
  }
}

/** Moves an image after the first one, which must be shown. */
export function moveAfter(name: string, target: string): ContentStep {
  return (content) => {
    if (isGalleryDeleted(content)) return [['content_deleted', content]]
    const shown = shownImages(content)
    const at = shown.findIndex((image) => image.name === target)
    const own = shown[at]
    if (!own) return [['image_not_in_gallery', content]]
    const next = shown.slice(at + 1).find((image) => image.name !== name)
    const sequenceNumber = next ? (own.sequenceNumber + next.sequenceNumber) / 2 : own.sequenceNumber + 0.5
    return [['done', imageOf(content, name)?.isDeleted ? content : changeImage(content, name, { sequenceNumber })]]
  }
}

/** Uploads with one Idempotency-Key: the first one stores the image. */
export function uploadOnce(name: string, sequenceNumber: number): ContentStep {
  return (content) => (imageOf(content, name) ? [['done', content]] : upload(name, sequenceNumber)(content))
}

/** Publishes the gallery, or removes it if it is empty. */
export const finalize: ContentStep = (content) => {
  if (isGalleryDeleted(content)) return [['gallery_not_found', content]]
  return [['done', unfinishedEnds(content)]]
}

/** Publishes an unfinished gallery with an image, and removes one without. Others stay unchanged (D26). */
export function unfinishedEnds(content: ModelContent): ModelContent {
  if (content.gallery?.state !== 'open') return content
  return changeGallery(content, { state: content.images.some(({ isDeleted }) => !isDeleted) ? 'public' : 'deleted' })
}

/** Deletes what expires, and ends an unfinished gallery. */
export function maintained(content: ModelContent): ModelContent {
  if (content.gallery?.expires) return changeGallery(content, { state: 'deleted' })
  const images = content.images.map((image) => (image.expires ? { ...image, isDeleted: true } : image))
  return unfinishedEnds({ ...content, images })
}

export function rename(name: string): ContentStep {
  return (content) =>
    isGalleryDeleted(content) ? [['content_deleted', content]] : [['done', changeGallery(content, { name })]]
}

/** Deletes by the token of the gallery. */
export const deleteGallery: ContentStep = (content) =>
  isGalleryDeleted(content) ? [['content_deleted', content]] : [['done', changeGallery(content, { state: 'deleted' })]]

/** Deletes by the token of a standalone image. */
export function deleteImage(name: string): ContentStep {
  return (content) =>
    imageOf(content, name)?.isDeleted
      ? [['content_deleted', content]]
      : [['done', changeImage(content, name, { isDeleted: true })]]
}

/** Deletes an image by the token of its gallery. */
export function deleteGalleryImage(name: string): ContentStep {
  return (content) => (isGalleryDeleted(content) ? [['content_deleted', content]] : deleteImage(name)(content))
}

/** Deletes an image as the operator. */
export function removeImage(name: string): ContentStep {
  return (content) =>
    isGalleryDeleted(content) || imageOf(content, name)?.isDeleted
      ? [['was deleted', content]]
      : [['done', changeImage(content, name, { isDeleted: true })]]
}

/** Hides an image, or shows it again. */
export function setImageHidden(name: string, isHidden: boolean): ContentStep {
  return (content) => {
    const image = imageOf(content, name)
    // An image of a deleted gallery may be hidden, because nobody sees either.
    const changed: Outcomes[number] = ['changed', changeImage(content, name, { isHidden })]
    const unchanged: Outcomes[number] = ['unchanged', content]
    if (!image || image.isDeleted || image.isHidden === isHidden) return [unchanged]
    return isGalleryDeleted(content) ? [changed, unchanged] : [changed]
  }
}

/** Hides the gallery, or shows it again. */
export function setGalleryHidden(isHidden: boolean): ContentStep {
  return (content) =>
    isGalleryDeleted(content) || content.gallery?.isHidden === isHidden
      ? [['unchanged', content]]
      : [['changed', changeGallery(content, { isHidden })]]
}

/** Returns the status of an image. */
export function statusOf(content: ModelContent, name: string): string {
  const { gallery } = content
  const image = imageOf(content, name)
  if (!image) return 'not_found'
  if (image.isDeleted || isGalleryDeleted(content)) return 'deleted'
  if (image.isHidden || gallery?.isHidden || gallery?.state === 'open') return 'pending'
  return 'available'
}

export function status(name: string): ContentStep {
  return (content) => [[statusOf(content, name), content]]
}

export function report(name: string): ContentStep {
  return (content) => [[statusOf(content, name) === 'available' ? 'done' : 'content_not_found', content]]
}

/** Returns the page of the gallery: the names of its images. */
export const galleryPage: ContentStep = (content) => {
  const { gallery } = content
  const isPublic = gallery?.state === 'public' && !gallery.isHidden
  return [[isPublic ? pageOf(shownImages(content).map(({ name }) => name)) : 'nothing', content]]
}

/** Describes a page of these images. */
export function pageOf(names: readonly string[]): string {
  return `page of [${names.join(', ')}]`
}

/** Returns the page of an image: its neighbours and its position. */
export function imagePage(name: string): ContentStep {
  return (content) => {
    if (statusOf(content, name) !== 'available') return [['nothing', content]]
    if (!content.gallery) return [['page', content]]
    const shown = shownImages(content)
    const at = shown.findIndex((image) => image.name === name)
    return [[neighboursOf(shown[at - 1]?.name, shown[at + 1]?.name, at + 1), content]]
  }
}

/** Describes the neighbours of an image on its page. */
export function neighboursOf(previous: string | undefined, next: string | undefined, position: number): string {
  return `page ${position} between ${previous ?? 'none'} and ${next ?? 'none'}`
}

/** Runs the cron a day after the content was created. */
export const maintain: ContentStep = (content) => [['done', maintained(content)]]

/** Changes nothing visible. */
export const unseen: ContentStep = (content) => [['done', content]]

/** Deletes a standalone image by requests with one Idempotency-Key. */
export function deleteOnce(name: string): ContentStep {
  return (content) =>
    content.isKeyDone
      ? [['done', content]]
      : deleteImage(name)(content).map(([response, after]) => [response, { ...after, isKeyDone: response === 'done' }])
}

/** Shares images: publishes a gallery with all of them, or stores nothing. */
export function share(names: readonly string[], sequenceNumber: number): ContentStep {
  return (content) => [
    [
      'done',
      {
        gallery: { state: 'public', name: '', isHidden: false },
        images: names.map((name, at) => ({
          name,
          sequenceNumber: sequenceNumber + at,
          isHidden: false,
          isDeleted: false,
        })),
      },
    ],
    // The cron may remove the gallery in the meantime, because it is a day old.
    ['gallery_not_found', content],
  ]
}
