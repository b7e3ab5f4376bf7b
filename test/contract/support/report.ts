import { type Api, freshAddress } from './api.ts'
import { type ApiResponse, header } from './client.ts'

/** A report that needs no change, but its address. */
const REPORT = { reason: 'illegal', details: '', contact: '' }

/** Sends the form of the report page, from an address never seen before unless one is given. */
export function sendReport(
  api: Api,
  fields: Readonly<Record<string, string>>,
  address = freshAddress(),
): Promise<ApiResponse> {
  return api.postUrlencoded('/report', { ...REPORT, ...fields }, { headers: { 'cf-connecting-ip': address } })
}

/** An attribute of the field of this name in the page of an answer; undefined where there is none. */
export function fieldAttribute({ text }: ApiResponse, name: string, attribute: string): string | undefined {
  const field = text.match(/<(?:input|textarea)\b[^>]*>/g)?.find((tag) => tag.includes(` name="${name}"`))
  return field === undefined ? undefined : new RegExp(` ${attribute}="([^"]*)"`).exec(field)?.[1]
}

/** The texts of the page's alerts. */
export function alertsOf({ text }: ApiResponse): string[] {
  return [...text.matchAll(/<p class="error" role="alert"[^>]*>([^<]*)</g)].map(([, alert = '']) => alert)
}

/** Whether an answer lets pages of other origins read it. */
export function isShared(response: ApiResponse): boolean {
  return header(response, 'access-control-allow-origin') !== undefined
}
