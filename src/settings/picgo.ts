import { THUMBNAIL_MAX_SIZE_PX } from '../limits.ts'
import * as routes from '../routes.ts'
import { settingsText } from './sharex.ts'

/** What PicGo's plugin `web-uploader` is to be told; the two custom fields are JSON within a text. */
export interface WebUploader {
  url: string
  paramName: string
  jsonPath: string
  customHeader: string
  customBody: string
}

/**
 * The fields of PicGo's plugin `web-uploader` for the service at `origin`. PicGo puts its links into `![](...)`, which must
 * be a picture's and not a page's: the thumbnail's, as large as there are.
 */
export function webUploader(origin: string): WebUploader {
  return {
    url: origin + routes.images,
    paramName: 'img',
    jsonPath: 'th_url',
    customHeader: '',
    customBody: JSON.stringify({ content_type: '0', max_th_size: String(THUMBNAIL_MAX_SIZE_PX) }),
  }
}

/** The configuration file of PicGo-Core (`~/.picgo/config.json`) with that plugin chosen. */
export function picGoSettings(origin: string): string {
  return settingsText({
    picBed: { uploader: 'web-uploader', current: 'web-uploader', 'web-uploader': webUploader(origin) },
    picgoPlugins: { 'picgo-plugin-web-uploader': true },
  })
}
