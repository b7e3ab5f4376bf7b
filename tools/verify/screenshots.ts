// `npm run tintype -- screenshots`: every page and state at three widths, light and dark, to be looked at.
import { statSync } from 'node:fs'
import path from 'node:path'
import { become, ensureInstalled, fail, ROOT } from '../install/installed.mjs'
import { readCommandLine } from '../shared/command-line.ts'
import { runScript } from '../shared/processes.ts'

const { values } = readCommandLine({
  usage: `Usage: npm run tintype -- screenshots [options]
Takes screenshots of every page and state at 390, 768 and 1440 pixels, light and dark, in generated/screenshots.
  --languages a,b   the languages of the pages (en)
  --only NAME       only the states whose names begin so, such as gallery
  --photos DIR      shows the photographs of this folder, instead of drawn landscapes
  --readme          takes those of the README instead, in docs/pictures
  --help            this text`,
  options: {
    languages: { type: 'string', default: 'en' },
    only: { type: 'string' },
    photos: { type: 'string' },
    readme: { type: 'boolean' },
  },
})
if (values.readme) process.env.SCREENSHOT_README = '1'
else process.env.SCREENSHOT_LANGUAGES = values.languages
if (values.only !== undefined) process.env.SCREENSHOT_ONLY = values.only
if (values.photos !== undefined) process.env.SCREENSHOT_PHOTOS = requireFolder(path.resolve(values.photos))
ensureInstalled('all')
runScript('build/made.ts')
const vitest = path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
become(vitest, ['run', '--project', 'browser', 'test/browser/screenshots'])

function requireFolder(folder: string) {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder
  return fail(`--photos must name a folder: received "${folder}"`)
}
