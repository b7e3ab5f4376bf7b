// The folder of the Worker's static assets: wrangler.toml names it.
import path from 'node:path'
import { GENERATED } from '../shared/when-changed.ts'

/** Files that a deployment uploads beside the Worker, and `npm start` serves to it. */
export const STATIC = path.join(GENERATED, 'static')
