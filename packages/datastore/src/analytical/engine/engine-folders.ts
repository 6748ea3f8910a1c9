import { accessSync, constants, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { makePrivateFolders, newPrivateName } from './private-folders.ts'

/** A path of 108 bytes or more does not bind. */
const maxSocketPathBytes = 100

/** Path of the socket of an engine: in its data folder, or in a new private folder of `temporaryDir` when that path is too long for a socket. */
export function chooseSocketPath(dataDir: string, temporaryDir: string): string {
  const near = resolve(dataDir, 'engine.sock')
  return Buffer.byteLength(near) <= maxSocketPathBytes ? near : join(temporaryDir, newPrivateName(), 'engine.sock')
}

export interface EngineFoldersOptions {
  /** Folder of the engine's tables. */
  dataDir: string
  /** As `chooseSocketPath` returned it. */
  socketPath: string
  /** Where Linux keeps files in memory. Other systems have none, and a container may not write to it: then rows wait on the disk alone. */
  memoryMount: string
}

/** Folders that live as long as the engine's process. */
export interface EngineFolders {
  /** Where rows of inserts wait, the fastest first; the last one is on the disk of the data folder. */
  rowsDirs: string[]
  /** Removes them with all that is in them, and the socket. */
  remove(): void
}

/** Makes the folders, and removes those left by a killed engine of this data folder. No other engine may have the data folder. */
export function makeEngineFolders({ dataDir, socketPath, memoryMount }: EngineFoldersOptions): EngineFolders {
  const memory = isWritable(memoryMount) ? [memoryMount] : []
  const ofSocket = dirname(socketPath) === resolve(dataDir) ? [] : [dirname(socketPath)]
  const folders = makePrivateFolders(dataDir, [...memory, dataDir], ofSocket)
  rmSync(socketPath, { force: true })
  return {
    rowsDirs: folders.paths.slice(0, memory.length + 1),
    remove() {
      rmSync(socketPath, { force: true })
      folders.remove()
    },
  }
}

/** Whether files can be made in a folder: it is there, on no read-only mount, and permits it. */
function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}
