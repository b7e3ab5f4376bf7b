import { readManagementLink } from '../management-link.ts'
import { printable } from '../printable.ts'
import type { ExitCode, Session } from '../session.ts'
import type { RenameInvocation } from '../terminal/arguments.ts'

/** Renames a gallery. */
export async function rename(invocation: RenameInvocation, { screen, apiOf }: Session): Promise<ExitCode> {
  const { host, token } = readManagementLink(invocation.link, 'the first argument', invocation)
  const { name, url } = await apiOf(host).rename(token, invocation.name)
  if (invocation.json) screen.result(JSON.stringify({ gallery_name: name, gallery_url: url }, undefined, 2))
  else screen.result(name === '' ? `untitled  ${url}` : `renamed  ${url}  ${printable(name)}`)
  return 0
}
