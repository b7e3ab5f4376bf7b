import { findBarriers } from './support/axe.ts'
import { describeForEverybody } from './support/for-everybody.ts'

/** Texts in other scripts are reviewed on screenshots. */
describeForEverybody(['en'], { find: findBarriers })
