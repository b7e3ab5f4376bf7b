import { type Api, freshAddress } from './api.ts'
import { type Answer, header } from './client.ts'

/** A report that needs no change, but its address. */
const REPORT = { reason: 'illegal', details: '', contact: '' }

/** Sends the form of the report page, from an address never seen before unless one is given. */
export function sendReport(
  api: Api,
  fields: Readonly<Record<string, string>>,
  address = freshAddress(),
): Promise<Answer> {
  return api.postUrlencoded('/report', { ...REPORT, ...fields }, { headers: { 'cf-connecting-ip': address } })
}

/** An attribute of the field of this name in the page of an answer; undefined where there is none. */
export function fieldAttribute({ text }: Answer, name: string, attribute: string): string | undefined {
  const field = text.match(/<(?:input|textarea)\b[^>]*>/g)?.find((tag) => tag.includes(` name="${name}"`))
  return field === undefined ? undefined : new RegExp(` ${attribute}="([^"]*)"`).exec(field)?.[1]
}

/** The texts of the page's alerts. */
export function alertsOf({ text }: Answer): string[] {
  return [...text.matchAll(/<p class="error" role="alert"[^>]*>([^<]*)</g)].map(([, alert = '']) => alert)
}

/** Whether an answer lets pages of other origins read it. */
export function isShared(answer: Answer): boolean {
  return header(answer, 'access-control-allow-origin') !== undefined
}
