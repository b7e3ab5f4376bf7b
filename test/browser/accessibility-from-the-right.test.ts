import { findOtherBarriers } from './support/axe.ts'
import { describeForEverybody } from './support/for-everybody.ts'

/** What another direction changes, it changes at every width. */
describeForEverybody(['ar'], findOtherBarriers, [320])
