// The contents of the files that a release changes.
import { isObject, parseObject } from '../shared/json.ts'

/** The packages that have a version, and always the same one: the service, the command line, its plugin of PicGo, and the codec. */
export const FOLDERS = ['.', 'cli', 'cli/picgo', 'codec'] as const

/** Placeholder for the owner of the repository on GitHub. */
export const PLACEHOLDER = 'OWNER'

const ADDRESS = /github\.com\/([\w-]+)\/tintype\b/g

interface Manifest {
  version: string
  repository: { url: string; directory?: string }
}

/** Reads the members of a package.json that a release needs. */
export function manifestOf(text: string): Manifest {
  const { version, repository } = parseObject(text)
  const { url, directory } = isObject(repository) ? repository : {}
  if (typeof version !== 'string' || typeof url !== 'string')
    throw new Error('package.json needs a version and a repository')
  return { version, repository: { url, ...(typeof directory === 'string' && { directory }) } }
}

/** Returns the owner in the repository's address. The package.json of the root is the one place that decides it. */
export function ownerOf(packageJson: string): string {
  const [owner] = ownersIn(manifestOf(packageJson).repository.url)
  if (owner === undefined) throw new Error('the repository of package.json must be that of tintype on GitHub')
  return owner
}

/** Returns each owner that a text names in addresses of this repository. */
export function ownersIn(text: string): string[] {
  return [...text.matchAll(ADDRESS)].map(([, owner = '']) => owner)
}

/** Returns a text whose addresses of the repository have another owner. */
export function withOwner(text: string, from: string, to: string): string {
  return text.replace(ADDRESS, (address, owner) => (owner === from ? `github.com/${to}/tintype` : address))
}

/** Returns what is wrong with the version of a release, or undefined. */
export function versionProblem(version: string, current: string): string | undefined {
  const numbersOf = (text: string) => /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.exec(text)?.slice(1).map(Number)
  const wanted = numbersOf(version)
  if (wanted === undefined) return `a version has three numbers, such as 2.1.0: received "${version}"`
  const present = numbersOf(current) ?? []
  const at = wanted.findIndex((number, index) => number !== present[index])
  if (at < 0 || (wanted[at] ?? 0) < (present[at] ?? 0))
    return `the version must be above ${current}: received ${version}`
  return undefined
}

/** Returns a package.json with another version. Nothing else of the text changes. */
export function withVersion(packageJson: string, version: string): string {
  return packageJson.replace(/^( {2}"version": ")[^"]*(")/m, `$1${version}$2`)
}

/** Returns a package-lock.json whose own packages have this version. */
export function lockOf(text: string, version: string): string {
  const lock = parseObject(text)
  if (!isObject(lock.packages)) throw new Error('package-lock.json must list packages')
  const packages = Object.entries(lock.packages).map(([folder, locked]) => {
    const isOwn = folder === '' || FOLDERS.some((own) => own === folder)
    return [folder, isOwn && isObject(locked) && 'version' in locked ? { ...locked, version } : locked]
  })
  return `${JSON.stringify({ ...lock, version, packages: Object.fromEntries(packages) }, null, 2)}\n`
}

/** Returns the changelog with its unreleased section under a version and a date, or undefined if that section is empty. */
export function releasedChangelog(changelog: string, version: string, date: string): string | undefined {
  if (!sectionOf(changelog, 'Unreleased')) return undefined
  return changelog.replace(/^## Unreleased$/m, `## Unreleased\n\n## ${version} (${date})`)
}

/** Returns the changelog of one version: the notes of its release. */
export function notesOf(changelog: string, version: string): string | undefined {
  return sectionOf(changelog, version)
}

function sectionOf(changelog: string, title: string): string | undefined {
  const sections = changelog.split(/^## /m).map((section) => /^(\S+)[^\n]*\n([\s\S]*)$/.exec(section))
  const text = sections.find((section) => section?.[1] === title)?.[2]?.trim()
  return text === '' ? undefined : text
}

/** Returns why a tag cannot be published: a version, a section of the changelog or the owner does not fit. */
export function tagProblems({
  version,
  manifests,
  changelog,
  repository,
}: {
  version: string
  manifests: readonly { folder: string; text: string }[]
  changelog: string
  repository: string | undefined
}): string[] {
  const problems = manifests.flatMap(({ folder, text }) => {
    const manifest = manifestOf(text)
    const [owner] = ownersIn(manifest.repository.url)
    return [
      ...(manifest.version === version ? [] : [`${folder}/package.json has version ${manifest.version}`]),
      ...(repository === undefined || `${owner}/tintype` === repository
        ? []
        : [`${folder}/package.json names the owner ${owner}: npm run tintype -- release --owner NAME`]),
    ]
  })
  return [...problems, ...(notesOf(changelog, version) ? [] : [`CHANGELOG.md has no section of ${version}`])]
}
