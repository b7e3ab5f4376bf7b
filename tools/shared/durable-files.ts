// Writes files that are on the disk when a call returns, and so survive a power cut: temporary file, fsync, rename,
// fsync of the folder (https://man7.org/linux/man-pages/man2/fsync.2.html).
// The command line has its own code for its journal. It is a separate package, and appends lines instead of replacing
// files.
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { copyFile } from 'node:fs/promises'

import path from 'node:path'
import { ignoreAbsence } from './command-line.ts'

/** Windows opens no folder, and keeps entries of folders by itself. */
const SYNCS_FOLDERS = process.platform !== 'win32'

/**
 * Replaces a file, or makes it: whatever happens meanwhile, it holds all of the old content or all of the new. One process at a time
 * may write a file. The umask narrows its mode.
 */
export function writeDurably(file: string, content: string, mode: number = 0o666) {
  const fresh = `${file}.new`
  // One that a cut left there may have other rights.
  rmSync(fresh, { force: true })
  const handle = openSync(fresh, 'wx', mode)
  try {
    writeAll(handle, content)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  renameSync(fresh, file)
  syncFolder(path.dirname(file))
}

/** Writes the content of a file to the disk. */
export function syncFile(file: string) {
  // Windows wants a handle that may write.
  sync(file, SYNCS_FOLDERS ? 'r' : 'r+')
}

/** Writes the entries of a folder to the disk: the names of its files. */
export function syncFolder(folder: string) {
  if (SYNCS_FOLDERS) sync(folder, 'r')
}

/** Copies a file to the disk, if it exists. The caller syncs the folder. */
export async function copyIfThere(from: string, to: string) {
  try {
    await copyFile(from, to)
    syncFile(to)
  } catch (error) {
    ignoreAbsence(error)
  }
}

/** Writes a folder to the disk with all folders in it, but without the content of files. */
export function syncFolders(folder: string) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) syncFolders(path.join(folder, entry.name))
  }
  syncFolder(folder)
}

/** Writes a folder to the disk with everything in it. */
export function syncTree(folder: string) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const filePath = path.join(folder, entry.name)
    if (entry.isDirectory()) syncTree(filePath)
    else if (entry.isFile()) syncFile(filePath)
  }
  syncFolder(folder)
}

/**
 * Makes a folder where it is missing, with its parents. Returns whether it was missing. `mkdirSync` with `recursive` never
 * returns where the file system refuses with ENOENT, as /proc does. The umask narrows the mode of a new one.
 */
export function makeFolder(folder: string, mode: number = 0o777) {
  const parent = path.dirname(folder)
  try {
    mkdirSync(folder, { mode })
  } catch (error) {
    if (isFolder(folder)) return false
    if (statSync(parent, { throwIfNoEntry: false })) throw error
    makeFolder(parent)
    mkdirSync(folder, { mode })
  }
  syncFolder(parent)
  return true
}

function sync(filePath: string, flags: string) {
  const handle = openSync(filePath, flags)
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** A write may be partial. */
function writeAll(handle: number, content: string) {
  const bytes = Buffer.from(content)
  for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at)
}

function isFolder(filePath: string) {
  return statSync(filePath, { throwIfNoEntry: false })?.isDirectory() ?? false
}
