import * as routes from '../routes.ts'

/**
 * A custom uploader of ShareX 15 and later (https://getsharex.com/docs/custom-uploader), which a double click imports: it
 * uploads to the service whose pages are at `origin`. Its history keeps each picture's private link, which deletes it.
 */
export function shareXUploader(origin: string): string {
  return settingsText({
    Version: '15.0.0',
    Name: new URL(origin).host,
    DestinationType: 'ImageUploader',
    RequestMethod: 'POST',
    RequestURL: origin + routes.images,
    Body: 'MultipartFormData',
    Arguments: { content_type: '0', include_manage_url: '1' },
    FileFormName: 'img',
    URL: '{json:show_url}',
    ThumbnailURL: '{json:th_url}',
    DeletionURL: '{json:manage_url}',
    // Errors of uploads are one plain sentence (D21).
    ErrorMessage: '{response}',
  })
}

/** Settings as people read and change them. */
export function settingsText(settings: object): string {
  return `${JSON.stringify(settings, undefined, 2)}\n`
}
