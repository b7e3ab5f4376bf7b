import { THUMBNAIL_MAX_SIZE_PX } from '../limits.ts'
import * as routes from '../routes.ts'
import { KEY_HEADER, settingsText } from './sharex.ts'

/** The settings of PicGo's plugin `web-uploader`; the two custom fields are JSON in a string. */
interface WebUploader {
  url: string
  paramName: string
  jsonPath: string
  customHeader: string
  customBody: string
}

/**
 * The fields of PicGo's plugin `web-uploader` for the service at `origin`. PicGo puts its links into `![](...)`, so they
 * must be of an image and not of a page: of the thumbnail, in the largest size.
 */
export function webUploader(origin: string, needsKey: boolean): WebUploader {
  return {
    url: origin + routes.images,
    paramName: 'img',
    jsonPath: 'th_url',
    customHeader: needsKey ? JSON.stringify(KEY_HEADER) : '',
    customBody: JSON.stringify({ content_type: '0', max_th_size: String(THUMBNAIL_MAX_SIZE_PX) }),
  }
}

/** The configuration file of PicGo-Core (`~/.picgo/config.json`) with that plugin selected. Links are those of previews, if there are any. */
export function picGoSettings(origin: string, has: { previews: boolean; keys: boolean }): string {
  return settingsText({
    picBed: { uploader: 'web-uploader', current: 'web-uploader', 'web-uploader': webUploader(origin, has.keys) },
    picgoPlugins: { 'picgo-plugin-web-uploader': true },
    ...(has.previews && { settings: { urlRewrite: { rules: [TO_PREVIEW] } } }),
  })
}

/** A rule of PicGo-Core after 1.6.5, which replaces the link. Earlier versions leave it as it is. */
const TO_PREVIEW = { match: routes.prefixOf(routes.thumbnail), replace: routes.prefixOf(routes.preview) }
