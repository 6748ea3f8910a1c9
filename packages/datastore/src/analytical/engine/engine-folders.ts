import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivateFolders } from './private-folders.ts'

/** A path of 108 bytes or more does not bind. */
const maxSocketPathBytes = 100

export interface EngineFoldersOptions {
  /** Folder of the engine's tables. */
  dataDir: string
  /** Where Linux keeps files in memory. Other systems have none: then it is not there. */
  memoryMount: string
  /** Holds the socket of a data folder whose own path is too long for one. */
  temporaryDir: string
}

/** Folders that live as long as the engine's process. */
export interface EngineFolders {
  socketPath: string
  /** Where rows of inserts wait, the fastest first; the last one is on the disk of the data folder. */
  rowsDirs: string[]
  /** Removes them with all that is in them. */
  remove(): void
}

/** Makes the folders, and removes those that an engine of this data folder left when it was killed. */
export function makeEngineFolders({ dataDir, memoryMount, temporaryDir }: EngineFoldersOptions): EngineFolders {
  const near = join(dataDir, 'engine.sock')
  const isShort = Buffer.byteLength(near) <= maxSocketPathBytes
  const memory = existsSync(memoryMount) ? [memoryMount] : []
  const folders = makePrivateFolders(dataDir, [...memory, dataDir, ...(isShort ? [] : [temporaryDir])])
  const socketPath = isShort ? near : join(folders.paths.at(-1) ?? dataDir, 'engine.sock')
  rmSync(socketPath, { force: true })
  return {
    socketPath,
    rowsDirs: folders.paths.slice(0, memory.length + 1),
    remove() {
      rmSync(socketPath, { force: true })
      folders.remove()
    },
  }
}
