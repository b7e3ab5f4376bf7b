import { MIB } from 'tintype-codec/units'
import { GALLERY_MAX_IMAGES, THUMBNAIL_MAX_SIZE_PX, UPLOAD_MAX_BYTES } from '../limits.ts'
import * as routes from '../routes.ts'

/** `/llms.txt`: what the service at `origin` is and how it is used, in Markdown, with links to the rest. */
export function llmsTxt(origin: string): string {
  return `# Tintype at ${new URL(origin).host}

> An image host. Programs upload JPEG, PNG, GIF, WebP and AVIF of up to ${UPLOAD_MAX_BYTES / MIB} MB by HTTP. No account, no key.

- Upload: POST ${origin}${routes.images} as multipart/form-data with the file in \`img\` and \`content_type\` 0 (1 for adult content).
  The response is JSON: \`show_url\` is the page to share, \`th_url\` the thumbnail. With \`include_manage_url=1\` it has
  \`manage_url\`, a secret that renames and deletes, and is told only this once. \`max_th_size\` is up to ${THUMBNAIL_MAX_SIZE_PX}.
- Gallery: POST ${origin}${routes.galleries} with \`gallery_name\`; upload up to ${GALLERY_MAX_IMAGES} pictures with its
  \`gallery_hash\` and \`gallery_upload_hash\`; then POST ${origin}${routes.pathOf(routes.finalizeGallery, { gallery_hash: '<gallery_hash>' })}
  with \`gallery_upload_hash\`. It is public from then on.
- Delete: POST ${origin}${routes.pathOf(routes.deleteContent, { token: '<the last part of manage_url>' })}.
- Read: GET the address of an image page or a gallery with \`${routes.jsonOf('')}\` at its end: names, sizes, links of all
  files and, for a gallery, \`next\`, the address of its next page.
- Errors of uploads are one sentence of plain text, all others JSON. Look at the status before the body.
  With \`Accept: application/problem+json\` all are Problem Details (RFC 9457).
- A repeated upload under the same \`Idempotency-Key\` is stored once.

## Documentation

- [Quick start](${origin}${routes.quickStart}): curl, JavaScript, Python, PowerShell
- [Reference](${origin}${routes.reference}): every operation, field, limit and header
- [Errors](${origin}${routes.errors}): each code, its cause and its fix
- [OpenAPI 3.1](${origin}${routes.openApi}), [the same in YAML](${origin}${routes.openApiYaml})

## Optional

- [Tools](${origin}${routes.tools}): ShareX, Flameshot, PicGo, Postman, and a button for the editor of any forum
`
}
