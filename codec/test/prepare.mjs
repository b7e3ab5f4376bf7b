// Makes what `npm test` needs: the files of the build, and the modules of these tests. Each module takes one processor for long, so they
// are compiled side by side.
import { ensureMade } from '../../tools/build/made.ts'
import { ensureCounted } from './counted-modules.mjs'
import { ensureTestModules } from './modules.mjs'

await Promise.all([ensureMade(), ensureTestModules(ensureCounted)])
await ensureCounted('codec')
