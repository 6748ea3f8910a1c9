import { createHash, randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, lstatSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import process from 'node:process'

/** Private folders of this process. */
export interface PrivateFolders {
  /** In the order of the parents. */
  paths: readonly string[]
  /** Removes them recursively. */
  remove(): void
}

const namePattern = /^heddle-[0-9a-f]{32}$/

/**
 * Creates a folder with mode 0700 in each parent, under an unguessable name, since other users may write to a parent. The data folder, which is
 * private, records them, so that folders left by a crash are removed with their content, including those of versions that did not record them yet.
 * `named`: previously chosen paths, with a name like `newPrivateName`; they follow in `paths`.
 * @throws Error when a created folder is not owned by this user or not private
 */
export function makePrivateFolders(dataDir: string, parents: readonly string[], named: readonly string[] = []): PrivateFolders {
  const list = join(dataDir, 'engine.folders')
  // Other users cannot access the data folder either, also on a disk without file owners.
  const isSafe = (path: string) => dirname(path) === resolve(dataDir) || isPrivate(path)
  for (const path of [...readList(list), ...foldersOfFirstVersions(dataDir, parents)])
    if (isSafe(path)) rmSync(path, { recursive: true, force: true })
  const paths = [...parents.map((parent) => resolve(parent, newPrivateName())), ...named]
  writeList(list, paths)
  for (const path of paths) {
    mkdirSync(path, { mode: 0o700 })
    if (!isSafe(path)) throw new Error(`other users can access the new folder ${path}; mount ${dirname(path)} with file owners and modes`)
  }
  return {
    paths,
    remove() {
      for (const path of [...paths, list]) rmSync(path, { recursive: true, force: true })
    },
  }
}

/** A name for a private folder that no one can guess. */
export function newPrivateName(): string {
  return `heddle-${randomBytes(16).toString('hex')}`
}

/** Where the first versions made theirs, under a name that follows from the data folder. */
function foldersOfFirstVersions(dataDir: string, parents: readonly string[]): string[] {
  const name = `heddle-${createHash('sha256').update(resolve(dataDir)).digest('hex').slice(0, 16)}`
  return parents.map((parent) => resolve(parent, name))
}

/** True for a folder that only this user can open; false also if it does not exist. */
function isPrivate(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  const isOwn = process.getuid === undefined || found?.uid === process.getuid()
  return found !== undefined && found.isDirectory() && isOwn && (found.mode & 0o077) === 0
}

/** Listed paths of such folders; `[]` when the list is missing or truncated. */
function readList(list: string): string[] {
  try {
    const paths: unknown = JSON.parse(readFileSync(list, 'utf8'))
    return Array.isArray(paths) ? paths.filter(isPathOfOurs) : []
  } catch {
    return []
  }
}

function isPathOfOurs(path: unknown): path is string {
  return typeof path === 'string' && isAbsolute(path) && namePattern.test(basename(path))
}

function writeList(list: string, paths: readonly string[]): void {
  rmSync(list, { force: true })
  const file = openSync(list, 'wx', 0o600)
  try {
    writeSync(file, JSON.stringify(paths))
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
