import { findOtherBarriers } from './support/axe.ts'
import { describeForEverybody } from './support/for-everybody.ts'

/** Each layout once: the other states differ from these in their words. */
const LAYOUTS = [
  'upload-chosen',
  'upload-done',
  'upload-stopped',
  'uploads',
  'uploaded-without-script',
  'picture-in-gallery',
  'picture-with-warning',
  'gallery',
  'gallery-codes',
  'manage-gallery',
  'report',
  'nothing',
  'docs',
  'docs-errors',
  'tools',
  'upload-embedded',
]

/** What another direction changes, it changes at every width, and in no colour. */
describeForEverybody(['ar'], {
  find: findOtherBarriers,
  widths: [320],
  dark: false,
  ...(process.env.SCREENSHOTS === undefined ? { states: LAYOUTS } : {}),
})
