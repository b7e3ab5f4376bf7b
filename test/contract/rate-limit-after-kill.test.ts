import { test } from 'vitest'
import { apiAt, freshAddress, mayStartServices } from './support/api.ts'
import { askChecked, bucketModel } from './support/bucket-model.ts'
import { startService, temporaryData } from './support/service.ts'

test.skipIf(!mayStartServices())(
  'a spent bucket is still spent after SIGKILL (needs services of its own)',
  async () => {
    const data = await temporaryData()
    const model = bucketModel()
    const address = freshAddress()
    const first = await startService({ byCommand: true, data: data.path })
    for (let time = 0; time < 5; time++) await askChecked(model, () => apiAt(first.baseUrl).status(['x'], address))
    await first.kill()
    const second = await startService({ data: data.path })
    // With a bucket in memory alone five would pass. The model lets only refilled requests pass.
    for (let time = 0; time < 6; time++) await askChecked(model, () => apiAt(second.baseUrl).status(['x'], address))
    await second.stop()
    await data.remove()
  },
)
