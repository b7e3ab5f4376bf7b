import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  FOLDERS,
  manifestOf,
  notesOf,
  ownerOf,
  ownersIn,
  releasedChangelog,
  tagProblems,
  versionProblem,
} from '../tools/publish/release-files.ts'

const ROOT = path.resolve(import.meta.dirname, '..')
const read = (file: string, folder = ROOT) => readFileSync(path.join(folder, file), 'utf8')
const git = (folder: string, ...args: string[]) => spawnSync('git', args, { cwd: folder, encoding: 'utf8' }).stdout

describe('the repository has one owner', () => {
  test('and every file names that of package.json', () => {
    const owner = ownerOf(read('package.json'))
    const tracked = git(ROOT, 'ls-files', '-z').split('\0')
    const files = tracked.filter(
      (file) => /\.(?:md|json|ya?ml|ts|mjs)$/.test(file) && existsSync(path.join(ROOT, file)),
    )
    const named = files.flatMap((file) => ownersIn(read(file)).map((found) => ({ file, found })))
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter(({ found }) => found !== owner)).toEqual([])
  })

  test.for(['cli', 'cli/picgo', 'codec'])('%s says where its sources and its issues are', (folder) => {
    const { repository, bugs } = JSON.parse(read('package.json'))
    const manifest = JSON.parse(read(`${folder}/package.json`))
    expect(manifest).toMatchObject({ repository: { ...repository, directory: folder }, bugs, license: 'MIT' })
    expect(manifest.homepage).toContain(`/tree/main/${folder}#readme`)
    expect(manifest.engines).toEqual({ node: expect.stringMatching(/^>=\d+$/) })
    expect(read(`${folder}/LICENSE`)).toBe(read('LICENSE'))
  })

  test('and one version', () => {
    const versions = FOLDERS.map((folder) => manifestOf(read(path.join(folder, 'package.json'))).version)
    expect(new Set(versions).size).toBe(1)
    expect(JSON.parse(read('package-lock.json')).version).toBe(versions[0])
    expect(notesOf(read('CHANGELOG.md'), versions[0] ?? '')).toMatch(/^### /m)
  })
})

describe('a release', () => {
  const CHANGELOG = '# Changelog\n\n## Unreleased\n\n### Added\n\n- A thing.\n\n## 2.0.0\n\nThe first.\n'
  const folder = mkdtempSync(path.join(tmpdir(), 'tintype-release-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  const run = (args: string[], env: Record<string, string> = {}) =>
    spawnSync(process.execPath, [path.join(folder, 'tools/publish/release.ts'), ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, ...env },
    })

  beforeAll(() => {
    const sources = [
      'install',
      'publish/release.ts',
      'publish/release-files.ts',
      'shared/command-line.ts',
      'shared/json.ts',
    ]
    const tools = sources.map((file) => `tools/${file}`)
    const manifests = FOLDERS.map((one) => path.join(one, 'package.json'))
    const files = [...manifests, 'package-lock.json', 'SECURITY.md', ...tools]
    for (const file of files) cpSync(path.join(ROOT, file), path.join(folder, file), { recursive: true })
    writeFileSync(path.join(folder, 'CHANGELOG.md'), CHANGELOG)
    git(folder, 'init', '--quiet')
    git(folder, 'config', 'user.name', 'Release')
    git(folder, 'config', 'user.email', 'release@example.com')
    git(folder, 'add', '--all')
    git(folder, 'commit', '--quiet', '--message', 'All')
  })

  test('needs an owner, a higher version and a clean work tree, and then sets, dates, commits and tags', () => {
    expect(run(['2.1.0']).stderr).toContain('no owner yet')
    expect(run(['--owner', 'some one']).stderr).toContain('must be a name on GitHub')
    expect(run(['--owner', 'somebody']).stdout).toMatch(/^OWNER is now somebody in 5 files:\n/)
    for (const file of ['package.json', 'codec/package.json', 'SECURITY.md']) {
      expect(new Set(ownersIn(read(file, folder)))).toEqual(new Set(['somebody']))
    }
    expect(run(['2.1.0']).stderr).toContain('commit them first')
    git(folder, 'commit', '--all', '--quiet', '--message', 'Set the owner')
    expect(run(['2.0.0']).stderr).toContain('must be above 2.0.0')

    const { status, stderr, stdout } = run(['2.1.0'])
    expect(status, stderr).toBe(0)
    expect(stdout).toContain('git push --atomic origin HEAD v2.1.0')
    for (const one of FOLDERS) expect(manifestOf(read(path.join(one, 'package.json'), folder)).version).toBe('2.1.0')
    const { version, packages } = JSON.parse(read('package-lock.json', folder))
    expect([version, packages[''].version]).toEqual(['2.1.0', '2.1.0'])
    expect(git(folder, 'status', '--porcelain')).toBe('')
    expect(git(folder, 'tag', '--points-at', 'HEAD').trim()).toBe('v2.1.0')
    // Versions and the changelog alone: JSON is not reformatted.
    expect(git(folder, 'diff', '--numstat', 'HEAD~1')).toMatch(/^2\t0\tCHANGELOG.md\n(?:[1-4]\t[1-4]\t\S+\n){5}$/)

    expect(run(['--notes', 'v2.1.0']).stdout).toBe('### Added\n\n- A thing.\n')
    expect(run(['--check', 'v2.1.0'], { GITHUB_REPOSITORY: 'somebody/tintype' }).stdout).toContain('can be published')
    expect(run(['--check', 'v2.1.0'], { GITHUB_REPOSITORY: 'else/tintype' }).stderr).toContain(
      'names the owner somebody',
    )
    expect(run(['--check', 'v2.2.0']).stderr).toContain('codec/package.json has version 2.1.0')
    expect(run(['2.2.0']).stderr).toContain('nothing under "## Unreleased"')
  })

  test('its notes end where the next version begins', () => {
    const released = releasedChangelog(CHANGELOG, '2.1.0', '2027-01-02') ?? ''
    expect(released).toContain('## Unreleased\n\n## 2.1.0 (2027-01-02)\n\n### Added')
    expect(notesOf(released, '2.1.0')).toBe('### Added\n\n- A thing.')
    expect(notesOf(released, '2.0.0')).toBe('The first.')
    expect(notesOf(released, '3.0.0')).toBeUndefined()
    expect(releasedChangelog(released, '2.2.0', '2027-01-03')).toBeUndefined()
  })

  test.for([
    ['2.1.0', undefined],
    ['3.0.0', undefined],
    ['2.0.0', 'above'],
    ['1.9.9', 'above'],
    ['2.1', 'three numbers'],
    ['v2.1.0', 'three numbers'],
    ['2.01.0', 'three numbers'],
  ] as const)('version %s after 2.0.0: %s', ([version, problem]) => {
    expect(versionProblem(version, '2.0.0') ?? '').toContain(problem ?? '')
    expect(versionProblem(version, '2.0.0') === undefined).toBe(problem === undefined)
  })

  test('a tag without a section of the changelog is refused', () => {
    expect(tagProblems({ version: '2.1.0', manifests: [], changelog: CHANGELOG, repository: undefined })).toEqual([
      'CHANGELOG.md has no section of 2.1.0',
    ])
  })
})

describe('the workflow of releases', () => {
  const workflow = read('.github/workflows/publish.yml')
  /** The jobs by name, with their text. */
  const jobs = new Map(
    (workflow.split(/^jobs:$/m)[1] ?? '').split(/^ {2}(?=\w)/m).map((text) => [text.split(':')[0] ?? '', text]),
  )

  test('publishes after the suite', () => {
    expect([...jobs.keys()].filter((name) => name.trim() !== '')).toEqual(['test', 'npm', 'image', 'notes'])
    for (const name of ['npm', 'image', 'notes'])
      expect(jobs.get(name)).toMatch(/^ {4}needs: (?:test|\[npm, image\])$/m)
    expect(jobs.get('test')).toContain('bash .ci/run')
    expect(jobs.get('test')).toContain('release --check "$GITHUB_REF_NAME"')
  })

  test('grants each job the permissions that it needs, and the suite none', () => {
    expect(workflow).toMatch(/^permissions: \{\}$/m)
    const written = [...jobs].map(([name, text]) => [name, text.match(/[\w-]+: write/g) ?? []])
    expect(Object.fromEntries(written.filter(([, permissions]) => permissions?.length))).toEqual({
      npm: ['id-token: write'],
      image: ['packages: write'],
      notes: ['contents: write'],
    })
    expect(workflow).not.toMatch(/NPM_TOKEN|NODE_AUTH_TOKEN/)
  })
})
