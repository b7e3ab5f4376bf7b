// `npm run cli -- <arguments>`: the command line of cli/, made first if need be, in the folder where npm was called.
import { pathToFileURL } from 'node:url'
import { ensureCli } from './cli.mjs'
import { ensureInstalled } from './installed.mjs'

ensureInstalled()
const bundle = await ensureCli()
if (process.env.INIT_CWD) process.chdir(process.env.INIT_CWD)
await import(pathToFileURL(bundle).href)
