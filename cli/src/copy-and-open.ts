import { RequestFailed } from './problems.ts'
import type { Session } from './session.ts'
import type { UploadCommon } from './terminal/arguments.ts'
import { copyText, openPage } from './terminal/clipboard.ts'

/** Copies a text and opens a page, each if asked. Reports a failure, and returns whether there was none. */
export async function copyAndOpen(
  { copy, open }: UploadCommon,
  { text, page }: { text: string; page: string | undefined },
  { screen, env }: Session,
): Promise<boolean> {
  const steps = [
    ...(copy ? [() => copyText(text, env)] : []),
    ...(open && page !== undefined ? [() => openPage(page, env)] : []),
  ]
  let isDone = true
  for (const step of steps) {
    try {
      await step()
    } catch (error) {
      if (!(error instanceof RequestFailed)) throw error
      screen.problem(error.message)
      isDone = false
    }
  }
  return isDone
}
