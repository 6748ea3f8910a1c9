import { openSync, readSync } from 'node:fs'

/** How long this thread has been on a CPU, in nanoseconds, before a space. Linux alone has it. */
const path = '/proc/thread-self/schedstat'
const text = Buffer.alloc(64)
/** Kept open while the thread lives: reopening it would take longer than reading it. Null if it does not exist. */
let file: number | null | undefined

/**
 * Milliseconds of work of this thread: other programs on a busy machine and other threads of this process do not count. If the system does not report
 * it, the work of all threads of the process.
 */
export function workedMs(): number {
  file ??= openFile()
  if (file === null) {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000
  }
  return Number.parseInt(text.toString('latin1', 0, readSync(file, text, 0, text.length, 0)), 10) / 1e6
}

function openFile(): number | null {
  try {
    return openSync(path, 'r')
  } catch {
    return null
  }
}
