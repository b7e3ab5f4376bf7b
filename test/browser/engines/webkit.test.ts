import { inject } from 'vitest'
import { describeFlows } from './support/flows.ts'
import { startWebkit } from './support/webkit.ts'

/** It knows no `manifest-src`, and says so on each page. */
const EXPECTED = [/Unrecognized Content-Security-Policy directive 'manifest-src'/]

describeFlows({
  name: 'WebKit',
  start: startWebkit,
  missing: inject('missingEngines').webkit,
  expected: EXPECTED,
})
