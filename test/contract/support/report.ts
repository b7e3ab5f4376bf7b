import { type Api, freshAddress } from './api.ts'
import { type ApiResponse, header } from './client.ts'

/** The fields of a valid report, except its address. */
const REPORT = { reason: 'illegal', details: '', contact: '' }

/** Sends the form of the report page, by default from an unused address. */
export function sendReport(
  api: Api,
  fields: Readonly<Record<string, string>>,
  address = freshAddress(),
): Promise<ApiResponse> {
  return api.postUrlencoded('/report', { ...REPORT, ...fields }, { headers: { 'cf-connecting-ip': address } })
}

/** Returns an attribute of the field with this name in a page, or undefined. */
export function fieldAttribute({ text }: ApiResponse, name: string, attribute: string): string | undefined {
  const field = text.match(/<(?:input|textarea)\b[^>]*>/g)?.find((tag) => tag.includes(` name="${name}"`))
  return field === undefined ? undefined : new RegExp(` ${attribute}="([^"]*)"`).exec(field)?.[1]
}

/** Returns the texts of the page's alerts. */
export function alertsOf({ text }: ApiResponse): string[] {
  return [...text.matchAll(/<p class="error" role="alert"[^>]*>([^<]*)</g)].map(([, alert = '']) => alert)
}

/** Returns whether pages of other origins may read a response. */
export function isShared(response: ApiResponse): boolean {
  return header(response, 'access-control-allow-origin') !== undefined
}
