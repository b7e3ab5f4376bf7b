// The requirements of a simulated disk whose power is cut: Linux, root, FUSE, loop devices and the tools of a file system.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

export type FileSystem = 'ext4' | 'xfs' | 'btrfs'

/**
 * File systems, with the commands that make one in a file and check it after a cut. 300 MB is the smallest XFS. ext4 would choose blocks
 * of 1 KiB for a file of this size.
 */
export const FILE_SYSTEMS: Record<FileSystem, { mib: number; make: string[]; check: string[] }> = {
  ext4: {
    mib: 192,
    make: ['mkfs.ext4', '-q', '-F', '-b', '4096', '-E', 'lazy_itable_init=0,lazy_journal_init=0'],
    check: ['fsck.ext4', '-f', '-n'],
  },
  xfs: { mib: 320, make: ['mkfs.xfs', '-q', '-f'], check: ['xfs_repair', '-n', '-f'] },
  btrfs: { mib: 256, make: ['mkfs.btrfs', '-q', '-f'], check: ['btrfs', 'check', '--readonly'] },
}

export function isFileSystem(name: string): name is FileSystem {
  return Object.hasOwn(FILE_SYSTEMS, name)
}

const CAP_SYS_ADMIN = 21n

/** The sentence that says why a file system cannot be tried on this machine; undefined where it can. */
export function whyNotHere(kind: FileSystem) {
  if (process.platform !== 'linux') return 'cutting the power needs Linux: loop devices and FUSE'
  if (!maySetUpDisks()) return 'cutting the power needs root (CAP_SYS_ADMIN), to mount file systems'
  const missing = ['/dev/fuse', '/dev/loop-control'].find((file) => !existsSync(file))
  if (missing) return `cutting the power needs ${missing}, which this kernel or container lacks`
  const { make, check } = FILE_SYSTEMS[kind]
  const tool = [make, check].map(([name = '']) => name).find((name) => !isOnPath(name))
  if (tool) return `${kind} cannot be tried: ${tool} is not installed`
  if (!readFileSync('/proc/filesystems', 'utf8').split(/\s+/).includes(kind) && !hasModule(kind)) {
    return `${kind} cannot be tried: this kernel does not have it`
  }
  return undefined
}

function maySetUpDisks() {
  const [, capabilities = '0'] = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return ((BigInt(`0x${capabilities}`) >> CAP_SYS_ADMIN) & 1n) === 1n
}

/** A module is loaded by the first mount. */
function hasModule(kind: string) {
  const release = readFileSync('/proc/sys/kernel/osrelease', 'utf8').trim()
  const list = `/lib/modules/${release}/modules.dep`
  return existsSync(list) && readFileSync(list, 'utf8').includes(`/${kind}.ko`)
}

function isOnPath(tool: string) {
  // Debian's path of a user who is not root lacks the last three.
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/local/sbin', '/usr/sbin', '/sbin']
  return folders.some((folder) => existsSync(path.join(folder, tool)))
}
