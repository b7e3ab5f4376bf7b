import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

const ROOT = path.resolve(import.meta.dirname, '..')
const WORKFLOWS = path.join(ROOT, '.github', 'workflows')
/** Licences that only require attribution, and one that requires its files to stay unchanged (MPL-2.0). */
const LICENCES = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MPL-2.0',
  'Python-2.0',
  'Unlicense',
]

interface LockedPackage {
  version?: string
  license?: string
  dev?: boolean
  hasInstallScript?: boolean
  link?: boolean
  resolved?: string
}

const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')

/** Returns the folder of a package of this repository. */
function workspaceOf(name: string): string | undefined {
  const { packages }: { packages: Record<string, LockedPackage> } = JSON.parse(read('package-lock.json'))
  return packages[`node_modules/${name}`]?.resolved
}

/** Returns the packages from registries: those of this repository have its licence. */
function lockedPackages(): [path: string, LockedPackage][] {
  const { packages }: { packages: Record<string, LockedPackage> } = JSON.parse(read('package-lock.json'))
  return Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link)
}

describe('packages', () => {
  test('are pinned exactly', () => {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read('package.json'))
    const all = Object.entries<string>({ ...dependencies, ...devDependencies, ...optionalDependencies })
    const versions = all.filter(([name, version]) => version !== `file:${workspaceOf(name)}`)
    expect(versions.length).toBeGreaterThan(10)
    expect(versions.filter(([, version]) => !/^(?:npm:.*@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))).toEqual([])
  })

  test('run no script at installation', () => {
    expect(read('.npmrc')).toContain('ignore-scripts=true')
    const scripted = lockedPackages().filter(([, { hasInstallScript }]) => hasInstallScript)
    const { allowScripts } = JSON.parse(read('package.json'))
    expect(
      scripted.map(([path]) => path.split('node_modules/').at(-1)).filter((name) => allowScripts[`${name}`] !== false),
    ).toEqual([])
  })

  test('that serve, build and deploy have a listed licence', () => {
    const served = lockedPackages().filter(([, { dev }]) => !dev)
    const isListed = ({ license = '' }: LockedPackage) =>
      license
        .replace(/[()]/g, '')
        .split(/ OR | AND /)
        .some((one) => LICENCES.includes(one))
    expect(served.length).toBeGreaterThan(20)
    expect(
      served.filter(([, locked]) => !isListed(locked)).map(([path, { license }]) => `${path}: ${license}`),
    ).toEqual([])
  })
})

test('actions of workflows are pinned by commit, with the version beside it', () => {
  const used = readdirSync(WORKFLOWS).flatMap((file) => read(`.github/workflows/${file}`).match(/uses: .*/g) ?? [])
  expect(used.length).toBeGreaterThan(3)
  expect(used.filter((line) => !/^uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([])
})

test('the base image is pinned by its digest', () => {
  expect(read('Dockerfile')).toMatch(/^FROM node:[\d.]+-bookworm-slim@sha256:[0-9a-f]{64}$/m)
})
