import { findOtherBarriers } from './support/axe.ts'
import { describeForEverybody } from './support/for-everybody.ts'

describeForEverybody(['ar'], findOtherBarriers)
