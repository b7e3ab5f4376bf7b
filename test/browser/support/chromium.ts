import { accessSync, constants, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Options of playwright's launch. */
export interface Chromium {
  executablePath: string
  env: Record<string, string>
}

const USUAL_PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]
/** The browser itself, and its dependencies that a system may lack: libraries and a font. */
const PACKED = ['chromium.br', 'al2023.tar.br', 'fonts.tar.br']
const CACHE = join(import.meta.dirname, '../../../node_modules/.cache/tintype')

/**
 * Returns the browser of CHROME_PATH, or the one in the package @sparticuz/chromium, or that of this machine. Without
 * any, returns the reason. The package's browser draws pages without windows, so a new one costs a sixth of others.
 */
export async function findChromium(): Promise<Chromium | { missing: string }> {
  const wanted = process.env.CHROME_PATH
  if (wanted !== undefined) {
    if (!isProgram(wanted)) throw new Error(`CHROME_PATH must be a program: received "${wanted}"`)
    return { executablePath: wanted, env: {} }
  }
  if (process.platform === 'linux' && process.arch === 'x64') return bundledChromium()
  const installed = USUAL_PATHS.find(isProgram)
  if (installed !== undefined) return { executablePath: installed, env: {} }
  return { missing: 'there is no Chromium in the usual places of this machine; CHROME_PATH can name one' }
}

async function bundledChromium(): Promise<Chromium> {
  const packageFolder = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '..')
  const version = /"version": "([0-9.]+)"/.exec(readFileSync(join(packageFolder, 'package.json'), 'utf8'))?.[1]
  const folder = join(CACHE, `chromium-${version}`)
  if (!existsSync(folder)) await unpack(join(packageFolder, 'bin'), folder)
  const libraries = join(folder, 'al2023', 'lib')
  return {
    executablePath: join(folder, 'chromium'),
    env: {
      LD_LIBRARY_PATH: [libraries, ...(process.env.LD_LIBRARY_PATH ? [process.env.LD_LIBRARY_PATH] : [])].join(':'),
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
    },
  }
}

/** Unpacks under another name first, so that an existing folder is complete. */
async function unpack(packed: string, folder: string): Promise<void> {
  const { inflate } = await import('@sparticuz/chromium')
  const fresh = `${folder}.${process.pid}`
  mkdirSync(fresh, { recursive: true })
  const { TMPDIR } = process.env
  // The package unpacks into the folder for temporary files, whose path other users could have created.
  process.env.TMPDIR = fresh
  try {
    await Promise.all(PACKED.map((name) => inflate(join(packed, name))))
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
  }
  writeFileSync(join(fresh, 'fonts.conf'), fontsOf(folder))
  try {
    renameSync(fresh, folder)
  } catch (error) {
    // Another run was faster, and uses it.
    if (!existsSync(folder)) throw error
    rmSync(fresh, { recursive: true })
  }
}

/** Describes the fonts of the machine, or those of the package if it has none. */
function fontsOf(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>/usr/share/fonts</dir>
  <dir>${join(folder, 'fonts', 'fonts')}</dir>
  <cachedir>${join(folder, 'fonts-cache')}</cachedir>
</fontconfig>
`
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
