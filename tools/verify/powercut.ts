// `npm run tintype -- powercut`: test/contract/powercut.test.ts at length. It cuts the power of a machine under load repeatedly, and checks
// that nothing acknowledged is lost.
import { fail } from '../install/installed.mjs'
import { FILE_SYSTEMS, isFileSystem, whyNotHere } from './simulated-disk.ts'
import { runAtLength } from './suite-at-length.ts'

runAtLength({
  usage: `Usage: npm run tintype -- powercut [options]
Cuts the power of a service on a simulated disk, and checks that nothing acknowledged is lost. Needs root.
  --cuts N       how often the power is cut on each file system (200)
  --fs NAMES     the file systems (ext4,xfs,btrfs)
  --sync-first   write everything to the disk before each cut: a control, in which nothing may be lost
  --seed N       repeats the choices of another run
  --help         this text`,
  numbers: { cuts: '200' },
  words: { fs: Object.keys(FILE_SYSTEMS).join(',') },
  switches: ['sync-first'],
  environment: ({ cuts }, { words, switches }) => ({
    POWERCUT_CUTS: cuts,
    POWERCUT_FILE_SYSTEMS: chooseFileSystems(words.fs ?? '').join(','),
    ...(switches.has('sync-first') ? { POWERCUT_SYNC_FIRST: '1' } : {}),
  }),
  files: ['powercut'],
  flags: ['--disable-console-intercept'],
})

/** Returns the file systems of a list that this machine supports. */
function chooseFileSystems(list: string) {
  const names = list.split(',').map((name) => {
    if (isFileSystem(name)) return name
    return fail(`--fs must be a list of ${Object.keys(FILE_SYSTEMS).join(', ')}: received "${name}"`)
  })
  const reasons = new Set(names.map(whyNotHere))
  for (const reason of reasons) if (reason !== undefined) console.error(reason)
  const usable = names.filter((name) => whyNotHere(name) === undefined)
  if (usable.length === 0) fail('no cut was made')
  return usable
}
