// Serves on this machine until it is stopped. `npm start` runs this after the build, with the same options.

import { fail } from '../install/installed.mjs'
import { codeOf } from '../shared/command-line.ts'
import { warningOfRights } from './data/data-folder.ts'
import { readLocation } from './data/file-location.ts'
import { CannotServe, LocalService } from './local-service.ts'
import { readStartOptions } from './start-options.ts'

const options = await readStartOptions()
const service = new LocalService(options, { started: stopWithSignals, isOnly: true })
let isStopping = false
stopWithSignals()
// The process that started this one is gone.
process.on('disconnect', stop)
await service.start().catch((error) => {
  if (error instanceof CannotServe) fail(error.message)
  throw error
})
const warning = warningOfRights(options.data)
if (warning) console.warn(warning)
const files = readLocation(options.data)?.s3.S3_URL
console.log(
  `Tintype serves http://localhost:${options.port} (data in ${options.data}${files === undefined ? '' : `, files in ${files}`})`,
)

/** workerd that dies is started again by Miniflare; what was being asked of it at that moment fails nowhere we could catch it. */
process.on('uncaughtException', (error) => {
  console.error(error)
  if (codeOf(error.cause) !== 'ECONNREFUSED' && codeOf(error) !== 'ECONNREFUSED') process.exit(1)
})

/** Stops at the first signal. Call it again after each start of Miniflare, which sets its own handlers. */
function stopWithSignals() {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    // Miniflare's own end the process before it has been disposed of.
    process.removeAllListeners(signal)
    process.on(signal, stop)
  }
}

async function stop() {
  if (isStopping) return
  isStopping = true
  await service.stop()
  process.exit(0)
}
