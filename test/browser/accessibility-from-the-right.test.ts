import { findOtherBarriers } from './support/axe.ts'
import { describeForEverybody } from './support/for-everybody.ts'

/** Each layout once. The other states differ from these only in their texts. */
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

/** A different text direction affects every width equally, and no colour. */
describeForEverybody(['ar'], {
  find: findOtherBarriers,
  widths: [320],
  dark: false,
  states: LAYOUTS,
})
