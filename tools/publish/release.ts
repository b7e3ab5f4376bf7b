// `npm run tintype -- release VERSION`: the versions, the changelog, a commit and a tag. The workflow of tags publishes it.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fail, ROOT } from '../install/installed.mjs'
import { readCommandLine } from '../shared/command-line.ts'
import {
  FOLDERS,
  lockOf,
  manifestOf,
  notesOf,
  ownerOf,
  PLACEHOLDER,
  releasedChangelog,
  tagProblems,
  versionProblem,
  withOwner,
  withVersion,
} from './release-files.ts'

const USAGE = `Usage: npm run tintype -- release VERSION
Sets the version of the service, the command line and the codec, dates the changelog, commits and tags. It pushes nothing.
  --owner NAME    first: sets the owner of the repository on GitHub, in every file that names it
  --notes TAG     prints the changelog of a tag, as the notes of its release
  --check TAG     compares a tag with the versions, the changelog and the owner; a release runs it
  --help          this text`

const NO_OWNER = 'the repository has no owner yet: npm run tintype -- release --owner NAME'

const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')
const write = (file: string, text: string) => writeFileSync(path.join(ROOT, file), text)

const { values, positionals } = readCommandLine({
  usage: USAGE,
  options: { owner: { type: 'string' }, notes: { type: 'string' }, check: { type: 'string' } },
  allowPositionals: true,
})
const [version, ...others] = positionals
if (values.owner !== undefined) setOwner(values.owner)
else if (values.notes !== undefined) printNotes(values.notes)
else if (values.check !== undefined) checkTag(values.check)
else if (version === undefined || others.length > 0) fail(`one version is needed\n${USAGE}`)
else release(version)

function release(version: string): void {
  const current = manifestOf(read('package.json')).version
  const problem =
    versionProblem(version, current) ?? (ownerOf(read('package.json')) === PLACEHOLDER ? NO_OWNER : undefined)
  if (problem !== undefined) fail(problem)
  if (git('status', '--porcelain') !== '') fail('there are changes that are not committed: commit them first')
  const changelog = releasedChangelog(read('CHANGELOG.md'), version, new Date().toISOString().slice(0, 10))
  if (changelog === undefined) fail('CHANGELOG.md has nothing under "## Unreleased"')
  for (const folder of FOLDERS) {
    const file = path.join(folder, 'package.json')
    write(file, withVersion(read(file), version))
  }
  write('package-lock.json', lockOf(read('package-lock.json'), version))
  write('CHANGELOG.md', changelog)
  git('commit', '--all', '--quiet', '--message', `Release ${version}`)
  git('tag', '--annotate', `v${version}`, '--message', `Tintype ${version}\n\n${notesOf(changelog, version) ?? ''}`)
  console.log(`Committed and tagged v${version}. To publish it: git push --atomic origin HEAD v${version}`)
}

function setOwner(owner: string): void {
  if (!/^[a-z\d](?:[a-z\d]|-(?=[a-z\d])){0,38}$/i.test(owner))
    fail(`--owner must be a name on GitHub: received "${owner}"`)
  const from = ownerOf(read('package.json'))
  const changed = git('ls-files', '-z', '--', ':!*.webp', ':!*.png')
    .split('\0')
    .filter((file) => {
      if (file === '' || !isText(file)) return false
      const text = read(file)
      const replaced = withOwner(text, from, owner)
      if (replaced !== text) write(file, replaced)
      return replaced !== text
    })
  console.log(`${from} is now ${owner} in ${changed.length} files:\n${changed.map((file) => `  ${file}`).join('\n')}`)
}

function isText(file: string): boolean {
  return /\.(?:md|json|ya?ml|tsx?|mjs|toml|service)$|Dockerfile$/.test(file)
}

function printNotes(tag: string): void {
  console.log(notesOf(read('CHANGELOG.md'), versionIn(tag)) ?? fail(`CHANGELOG.md has no section of ${tag}`))
}

function checkTag(tag: string): void {
  const manifests = FOLDERS.map((folder) => ({ folder, text: read(path.join(folder, 'package.json')) }))
  const problems = tagProblems({
    version: versionIn(tag),
    manifests,
    changelog: read('CHANGELOG.md'),
    // GitHub sets it: "owner/tintype".
    repository: process.env.GITHUB_REPOSITORY,
  })
  if (problems.length > 0) fail(problems.join('\n'))
  console.log(`${tag} can be published`)
}

function versionIn(tag: string): string {
  return /^v(\d+\.\d+\.\d+)$/.exec(tag)?.[1] ?? fail(`a tag is "v" and a version, such as v2.1.0: received "${tag}"`)
}

function git(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 })
  if (status !== 0) fail(`git ${args[0]} failed: ${stderr}`)
  return stdout
}
