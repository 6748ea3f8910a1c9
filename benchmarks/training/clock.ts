import { readFileSync } from 'node:fs'

/** Milliseconds since some moment. */
export type Clock = () => number

/** Time that passes. */
export const wallClock: Clock = () => performance.now()

/** Of `/proc/<pid>/stat` on Linux. */
const ticksPerSecond = 100

/** Processor time of a process with all its threads, on Linux: what other programs on the machine hardly change. */
export function processorClock(pid: () => number | undefined): Clock {
  return () => {
    const id = pid()
    if (id === undefined) throw new Error('the process whose time is measured is not running')
    // User and system time are fields 14 and 15; the second is a name, in parentheses, which may hold spaces.
    const fields = readFileSync(`/proc/${id}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return ((Number(fields[11]) + Number(fields[12])) * 1_000) / ticksPerSecond
  }
}
