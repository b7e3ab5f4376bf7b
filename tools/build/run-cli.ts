// `npm run cli -- <arguments>`: the command line of cli/, made first if need be, in the folder where npm was called.
import { pathToFileURL } from 'node:url'
import { ensureInstalled } from '../install/installed.mjs'
import { runScript } from '../shared/processes.ts'
import { CLI_BUNDLE } from './cli.ts'

ensureInstalled('service')
runScript('build/cli.ts')
if (process.env.INIT_CWD) process.chdir(process.env.INIT_CWD)
await import(pathToFileURL(CLI_BUNDLE).href)
