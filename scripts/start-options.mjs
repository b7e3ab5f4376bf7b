// The options of `npm start`.
import path from 'node:path'
import { parseClientLimits } from '../src/domain/client-limits.ts'
import { messageOf, readCommandLine } from './command-line.mjs'
import { fail, ROOT } from './installed.mjs'

const USAGE = `Usage: npm start -- [options]
Serves Tintype on this machine, with its data in one folder, until it is stopped.
  --port N                    the port (8787)
  --data DIR                  the folder that keeps the data (.data)
  --domains a,b,c             the public domains (localhost)
  --single-host-domains a,b   those of them that cannot have subdomains (*.workers.dev is known)
  --client-limits LIST        the operator's limits that differ, as uploads=5000,covers=off, or off for none
  --clock-offset-ms N         added to what the service takes for now, for tests that need tomorrow
  --help                      this text`

/** Reads them from the command line; anything wrong ends the process with a sentence. `data` is an absolute path. */
export function readStartOptions() {
  const { values } = readCommandLine({
    usage: USAGE,
    options: {
      port: { type: 'string', default: '8787' },
      data: { type: 'string', default: path.join(ROOT, '.data') },
      domains: { type: 'string' },
      'single-host-domains': { type: 'string' },
      'client-limits': { type: 'string' },
      'clock-offset-ms': { type: 'string' },
    },
  })
  const { port, data, domains, 'single-host-domains': singleHosts, 'clock-offset-ms': offset } = values
  const clientLimits = values['client-limits']
  requireClientLimits(clientLimits)
  if (!/^[1-9][0-9]{0,4}$/.test(port) || Number(port) > 65_535) fail(`--port must be a port number: received "${port}"`)
  if (offset !== undefined && !/^-?[0-9]+$/.test(offset)) {
    fail(`--clock-offset-ms must be a whole number of milliseconds: received "${offset}"`)
  }
  if (domains !== undefined && !/[^\s,]/.test(domains)) fail('--domains must name at least one domain')
  return { port: Number(port), data: path.resolve(data), domains, singleHosts, clientLimits, offset }
}

function requireClientLimits(/** @type {string | undefined} */ list) {
  try {
    parseClientLimits(list ?? '')
  } catch (error) {
    fail(`--client-limits: ${messageOf(error)}`)
  }
}
