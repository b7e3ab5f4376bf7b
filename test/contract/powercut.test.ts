import { describe, expect, test } from 'vitest'
import { isFileSystem, whyNotHere } from '../../tools/verify/simulated-disk.ts'
import { seededRandom } from '../support/random.ts'
import { mayStartServices } from './support/api.ts'
import { PowerLife, WHOLE_LIFE } from './support/power-life.ts'

/** The number of cuts: `npm run tintype -- powercut --cuts 200` makes so many on each of three file systems. */
const { POWERCUT_CUTS, POWERCUT_FILE_SYSTEMS = 'ext4', POWERCUT_SYNC_FIRST } = process.env
const CUTS = Number(POWERCUT_CUTS ?? 2)
/** Cuts that are added while no operation was acknowledged. */
const MORE_CUTS = 12
const FILE_SYSTEMS = POWERCUT_FILE_SYSTEMS.split(',').filter(isFileSystem)
const isAtLength = POWERCUT_CUTS !== undefined
const seed = Number(process.env.TINTYPE_SEED ?? Math.floor(Math.random() * 2 ** 31))

describe.skipIf(!mayStartServices())('a machine whose power is cut (needs services of its own)', () => {
  for (const kind of FILE_SYSTEMS) {
    const reason = whyNotHere(kind)
    if (reason !== undefined) {
      test.skip(`on ${kind}: ${reason}`)
      continue
    }
    test(`${CUTS} times on ${kind}, loses nothing that it acknowledged, and starts again (seed ${seed})`, async () => {
      const life = await PowerLife.create(kind, seededRandom(seed), { syncFirst: POWERCUT_SYNC_FIRST !== undefined })
      const { tally } = life
      try {
        // A cut may come before anything was acknowledged: few cuts then say nothing.
        while (tally.cuts < CUTS || (tally.acknowledged === 0 && tally.cuts < CUTS + MORE_CUTS)) {
          const told = tally.problems.length
          const left = CUTS - tally.cuts
          await life.live(WHOLE_LIFE.slice(0, left > 0 ? left : 2), { isLooked: isAtLength })
          for (const problem of tally.problems.slice(told)) console.error(`${kind}, ${problem}`)
          if (isAtLength) console.info(`${kind}: ${tally.cuts} cuts, ${tally.acknowledged} operations acknowledged`)
        }
      } finally {
        await life.close()
      }
      const { cuts, byMoment, acknowledged, looked, lost, failedStarts, problems } = tally
      const moments = Object.entries(byMoment).map(([moment, count]) => `${count} ${moment}`)
      console.info(
        `${kind}: ${cuts} cuts (${moments.join(', ')}), ${acknowledged} operations acknowledged; ` +
          `${lost} of ${looked} looks at images found a loss, ${failedStarts} failed starts; seed ${seed}`,
      )
      expect(problems).toEqual([])
      expect(acknowledged).toBeGreaterThan(0)
    })
  }
})
