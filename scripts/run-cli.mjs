// `npm run cli -- <arguments>`: the command line of cli/, made first if need be, in the folder where npm was called.
import { pathToFileURL } from 'node:url'
import { CLI_BUNDLE } from './cli.mjs'
import { ensureInstalled, runScript } from './installed.mjs'

ensureInstalled('service')
runScript('cli.mjs')
if (process.env.INIT_CWD) process.chdir(process.env.INIT_CWD)
await import(pathToFileURL(CLI_BUNDLE).href)
