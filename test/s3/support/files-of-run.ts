import { BUCKET, OWNER } from './accounts.ts'
import { startForRun } from './global-setup.ts'
import { keysFile } from './keys-file.ts'

/** Starts a server for the files of all services of the run (test/contract/support/service.ts). */
export default async function setup(): Promise<() => Promise<void>> {
  const swift = await startForRun()
  const options = [`s3://${BUCKET}`, '--s3-endpoint', swift.endpoint, '--s3-keys', keysFile(OWNER)]
  process.env.TINTYPE_TEST_FILES = options.join(' ')
  return () => swift[Symbol.asyncDispose]()
}
