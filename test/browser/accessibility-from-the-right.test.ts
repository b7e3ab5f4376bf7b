import { findOtherBarriers } from './support/axe.ts'
import { describeForEverybody } from './support/for-everybody.ts'

/** What another direction changes, it changes at every width, and in no colour. */
describeForEverybody(['ar'], { find: findOtherBarriers, widths: [320], dark: false })
