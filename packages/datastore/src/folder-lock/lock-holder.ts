import { readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

/** Who has the lock of a folder, for messages alone: the lock itself is the kernel's. */
interface Holder {
  /** In its own container, which may number processes differently. */
  pid: number
  host: string
  purpose: string
  since: string
}

const holderFile = 'folder.lock.json'

/** Writes the owner of the folder. Without it, a message names none. */
export function noteHolder(folder: string, purpose: string): void {
  const holder: Holder = { pid: process.pid, host: hostname(), purpose, since: new Date().toISOString() }
  try {
    writeFileSync(join(folder, holderFile), `${JSON.stringify(holder)}\n`, { mode: 0o600 })
  } catch {
    // A full disk is no reason to leave the folder without an owner.
  }
}

/** Who has the folder, as far as known. */
export function describeHolder(folder: string): string {
  const holder = readHolder(folder)
  if (holder === undefined) return 'another process (or its file system has no locks left, such as NFS without a lock service)'
  return `process ${holder.pid} on host ${holder.host} (${holder.purpose}, since ${holder.since})`
}

function readHolder(folder: string): Holder | undefined {
  try {
    const found = JSON.parse(readFileSync(join(folder, holderFile), 'utf8'))
    const texts = [found.host, found.purpose, found.since]
    return Number.isInteger(found.pid) && texts.every((text) => typeof text === 'string') ? found : undefined
  } catch {
    return undefined
  }
}
