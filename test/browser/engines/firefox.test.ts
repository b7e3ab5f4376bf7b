import { inject } from 'vitest'
import { startFirefox } from './support/firefox.ts'
import { describeFlows } from './support/flows.ts'

describeFlows({ name: 'Firefox', start: startFirefox, missing: inject('missingEngines').firefox })
