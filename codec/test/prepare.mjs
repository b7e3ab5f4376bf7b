// Makes what `npm test` needs: the files of the build, the modules of these tests, and the browser. Each module takes one processor for
// long, so they are compiled side by side. The package's own takes longest, and the browser is unpacked meanwhile.
import { findChromium } from '../../test/browser/support/chromium.ts'
import { ensureMade } from '../../tools/build/made.ts'
import { ensureCounted } from './counted-modules.mjs'
import { ensureTestModules } from './modules.mjs'

await Promise.all([ensureMade(), ensureTestModules(ensureCounted).then(findChromium)])
await ensureCounted('codec')
