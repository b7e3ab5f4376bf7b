import { CodeField, CodeGroups } from '../shell/code-fields.tsx'
import type { CodedImage } from '../shell/codes.ts'
import { renderDocument } from '../shell/document.tsx'
import { messagesIn } from '../shell/messages.ts'
import { keepChosen } from '../shell/page-context.ts'
import { Pagination, type PaginationProps } from '../shell/pagination.tsx'

/** The properties of galleryCodesPage. */
interface GalleryCodesPageProps extends PaginationProps {
  /** The canonical URL of the gallery. */
  galleryUrl: string
  /** Empty for an untitled gallery. */
  name: string
  images: readonly CodedImage[]
}

/** The codes of all images of a gallery, one line for each. */
export function galleryCodesPage(props: GalleryCodesPageProps): string {
  const { context, galleryUrl, name, images } = props
  const messages = messagesIn(context.language)
  return renderDocument({
    context,
    title: messages.codes.heading,
    head: <meta name="robots" content="noindex" />,
    scripts: ['page'],
    reportable: galleryUrl,
    children: (
      <>
        <h1>{messages.codes.heading}</h1>
        <p>
          <a href={keepChosen(context, galleryUrl)}>{name || messages.untitledGallery}</a>
        </p>
        <CodeField
          language={context.language}
          id="code-links"
          label={messages.codes.links}
          code={images.map(({ pageUrl }) => pageUrl).join('\n')}
          long
        />
        <CodeGroups context={context} images={images} long />
        <Pagination {...props} />
      </>
    ),
  })
}
