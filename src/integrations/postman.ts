import { MANAGEMENT_TOKEN_LENGTH, STATUS_MAX_URLS, STATUS_RATE_BURST, STATUS_RATE_INTERVAL_MS } from '../limits.ts'
import * as routes from '../routes.ts'
import { MINUTE_MS } from '../units.ts'
import { settingsText } from './sharex.ts'

type Field = { key: string; value: string; type: 'text' } | { key: string; src: never[]; type: 'file' }

interface Operation {
  name: string
  path: string
  description: string
  body?: object
  /** Stores what later requests need of the response, as lines of JavaScript. */
  remember?: readonly string[]
}

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
const GALLERY = [text('gallery_hash', '{{gallery_hash}}'), text('gallery_upload_hash', '{{gallery_upload_hash}}')]
const TOKEN = `answer.manage_url.slice(-${MANAGEMENT_TOKEN_LENGTH})`

/** All operations, in an order in which they can be tried. */
const OPERATIONS: readonly Operation[] = [
  {
    name: 'Upload a picture',
    path: routes.images,
    description: 'Choose a file for img. content_type is 0, or 1 for adult content.',
    body: form([file('img'), text('content_type', '0'), text('include_manage_url', '1')]),
    remember: [remember('show_url', 'answer.show_url'), remember('image_token', TOKEN)],
  },
  {
    name: 'Check the status of pictures',
    path: routes.imageStatus,
    description: `Up to ${STATUS_MAX_URLS} addresses of picture pages; ${MINUTE_MS / STATUS_RATE_INTERVAL_MS} requests a minute, ${STATUS_RATE_BURST} at once.`,
    body: {
      mode: 'raw',
      raw: '{ "urls": ["{{show_url}}"] }',
      options: { raw: { language: 'json' } },
    },
  },
  {
    name: 'Delete a picture',
    path: routes.pathOf(routes.deleteContent, { token: '{{image_token}}' }),
    description: 'For good. The token is the end of manage_url.',
  },
  {
    name: 'Upload a cover',
    path: routes.covers,
    description: 'Choose a file for img_left, and another for img_right, or take img_right away.',
    body: form([file('img_left'), file('img_right'), text('content_type', '0'), text('include_manage_url', '1')]),
    remember: [remember('image_token', TOKEN)],
  },
  {
    name: 'Create a gallery',
    path: routes.galleries,
    description: 'Nobody sees it until it is finalized.',
    body: urlencoded([text('gallery_name', 'Holidays'), text('include_manage_url', '1')]),
    remember: [
      remember('gallery_hash', 'answer.gallery_hash'),
      remember('gallery_upload_hash', 'answer.gallery_upload_hash'),
      remember('gallery_token', TOKEN),
    ],
  },
  {
    name: 'Upload a picture into the gallery',
    path: routes.images,
    description: 'Choose a file for img. A gallery shows pictures in the order in which they are sent.',
    body: form([file('img'), text('content_type', '0'), ...GALLERY]),
  },
  {
    name: 'Finalize the gallery',
    path: routes.pathOf(routes.finalizeGallery, { gallery_hash: '{{gallery_hash}}' }),
    description: 'Makes it public. The response is empty.',
    body: urlencoded([text('gallery_upload_hash', '{{gallery_upload_hash}}')]),
  },
  {
    name: 'Rename the gallery',
    path: routes.pathOf(routes.renameContent, { token: '{{gallery_token}}' }),
    description: 'Its address stays.',
    body: urlencoded([text('name', 'Holidays by the sea')]),
  },
  {
    name: 'Delete the gallery',
    path: routes.pathOf(routes.deleteContent, { token: '{{gallery_token}}' }),
    description: 'For good, with all its pictures.',
  },
]

/** A Postman collection (format 2.1) of all operations of the service at `origin`; Bruno, Insomnia and Hoppscotch can import it. */
export function postmanCollection(origin: string): string {
  const { host } = new URL(origin)
  return settingsText({
    info: { name: `Tintype: ${host}`, description: `Upload pictures to ${host}. No key is needed.`, schema: SCHEMA },
    variable: [{ key: 'base_url', value: origin, type: 'string' }],
    item: OPERATIONS.map(asItem),
  })
}

function asItem({ name, path, description, body, remember }: Operation) {
  const exec = ['const answer = pm.response.json()', ...(remember ?? [])]
  return {
    name,
    ...(remember && { event: [{ listen: 'test', script: { type: 'text/javascript', exec } }] }),
    request: {
      method: 'POST',
      header: [{ key: 'Accept', value: 'application/json' }],
      url: { raw: `{{base_url}}${path}`, host: ['{{base_url}}'], path: path.slice(1).split('/') },
      description,
      ...(body && { body }),
    },
  }
}

function remember(variable: string, expression: string): string {
  return `pm.collectionVariables.set('${variable}', ${expression})`
}

function form(formdata: readonly Field[]): object {
  return { mode: 'formdata', formdata }
}

function urlencoded(fields: readonly Field[]): object {
  return { mode: 'urlencoded', urlencoded: fields }
}

function text(key: string, value: string): Field {
  return { key, value, type: 'text' }
}

function file(key: string): Field {
  return { key, src: [], type: 'file' }
}
