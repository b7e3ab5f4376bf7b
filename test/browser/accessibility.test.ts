import { findBarriers } from './support/axe.ts'
import { describeForEverybody } from './support/for-everybody.ts'

/** Scripts of other shapes are looked at by eye. */
describeForEverybody(process.env.SCREENSHOTS === undefined ? ['en'] : ['en', 'ja'], { find: findBarriers })
