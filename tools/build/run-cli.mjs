// `npm run cli -- <arguments>`: the command line of cli/, made first if need be, in the folder where npm was called.
import { pathToFileURL } from 'node:url'
import { ensureInstalled, runScript } from '../install/installed.mjs'
import { CLI_BUNDLE } from './cli.mjs'

ensureInstalled('service')
runScript('build/cli.mjs')
if (process.env.INIT_CWD) process.chdir(process.env.INIT_CWD)
await import(pathToFileURL(CLI_BUNDLE).href)
