import * as routes from '../routes.ts'

/** The header of an uploader's key, to be filled in by its owner, where uploads need one (D61). */
export const KEY_HEADER = { Authorization: 'Bearer YOUR-KEY' }

/**
 * A custom uploader of ShareX 15 and later (https://getsharex.com/docs/custom-uploader) for the service at `origin`. A double
 * click imports it. The history of ShareX keeps each image's management link, as the one to delete it.
 */
export function shareXUploader(origin: string, needsKey: boolean): string {
  return settingsText({
    Version: '15.0.0',
    Name: new URL(origin).host,
    DestinationType: 'ImageUploader',
    RequestMethod: 'POST',
    RequestURL: origin + routes.images,
    ...(needsKey && { Headers: KEY_HEADER }),
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

/** Settings as indented JSON, for people to read and edit. */
export function settingsText(settings: object): string {
  return `${JSON.stringify(settings, undefined, 2)}\n`
}
