import { closeSync, openSync, readSync } from 'node:fs'
import process from 'node:process'

/**
 * Reads for how many milliseconds the main thread has had a processor so far, so that what other programs take of the processors is not in it; the time itself
 * on systems that do not say it. Only for the main thread. Synchronous waits, such as those for a disk, are not in it either.
 */
export function openThreadTime(): () => number {
  const text = Buffer.alloc(128)
  try {
    // Nanoseconds on a processor, nanoseconds of waiting for one, and turns. This file of a process is about its main thread. Node 20 has no call for it.
    const file = openSync('/proc/self/schedstat', 'r')
    process.once('exit', () => closeSync(file))
    return () => Number(text.toString('latin1', 0, readSync(file, text, 0, text.length, 0)).split(' ')[0]) / 1e6
  } catch {
    return () => performance.now()
  }
}
