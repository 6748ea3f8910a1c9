import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { codeOf } from '../../error-code.ts'
import { processStart } from './process-start.ts'

interface Holder {
  pid: number
  /** Start time of the process, so that a reused pid is not mistaken for the holder; '' if unknown. */
  startedTicks: string
  parentPid: number
  host: string
}

/** Another process has locked the data folder. */
export class DataDirLocked extends Error {
  override readonly name = 'DataDirLocked'
  /** True when the parent of the holder is gone: the holder is about to exit. */
  readonly holderIsOrphan: boolean

  constructor(message: string, holderIsOrphan: boolean) {
    super(message)
    this.holderIsOrphan = holderIsOrphan
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

function isHolding(holder: Holder): boolean {
  // Pids of another host are meaningless here; the engine's own file lock decides then.
  if (holder.host !== hostname() || holder.pid === process.pid) return false
  return isAlive(holder.pid) && processStart(holder.pid) === holder.startedTicks
}

function readHolder(path: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

/** Moves a stale lock away, and puts it back when another process replaced it meanwhile. */
function removeStale(path: string, seen: Holder | undefined): void {
  const aside = `${path}.${process.pid}.stale`
  try {
    renameSync(path, aside)
    if (JSON.stringify(readHolder(aside)) !== JSON.stringify(seen)) linkSync(aside, path)
  } catch {
    // Another process removed the stale lock first: the next attempt sees its lock.
  } finally {
    rmSync(aside, { force: true })
  }
}

/**
 * Locks the folder for this process, which exits with its parent, and returns a function that releases the lock. The lock of a dead process is taken over.
 * @throws DataDirLocked when a living process holds it.
 */
export function lockDataDir(dataDir: string, parentPid = process.ppid): () => void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const path = join(dataDir, 'engine.lock')
  const own = `${path}.${process.pid}`
  const me: Holder = { pid: process.pid, startedTicks: processStart(process.pid), parentPid, host: hostname() }
  writeFileSync(own, JSON.stringify(me), { mode: 0o600 })
  try {
    for (let attempt = 0; attempt < 5; attempt++) {
      if (tryLink(own, path)) return () => rmSync(path, { force: true })
      const holder = readHolder(path)
      if (holder && isHolding(holder)) throw locked(dataDir, holder)
      removeStale(path, holder)
    }
    throw new DataDirLocked(`data folder ${dataDir} is being locked by several processes at once; start one of them again`, false)
  } finally {
    rmSync(own, { force: true })
  }
}

function tryLink(own: string, path: string): boolean {
  try {
    linkSync(own, path)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

function locked(dataDir: string, holder: Holder): DataDirLocked {
  const text = `data folder ${dataDir} is in use by process ${holder.pid}, started by process ${holder.parentPid}; stop that server or choose another folder`
  return new DataDirLocked(text, !isAlive(holder.parentPid))
}
