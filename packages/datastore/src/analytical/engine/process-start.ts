import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Sources of process information. */
export interface ProcessSources {
  procFolder: string
  /** Start time of a process according to `ps`. @throws Error when there is no such process, or no `ps` */
  askPs: (pid: number) => string
}

const systemSources: ProcessSources = { procFolder: '/proc', askPs }

/**
 * Start time of a process as text: stable while the process lives, and different for a later process with the same id.
 * Clock ticks since boot from `/proc`; elsewhere, as on macOS, the time from `ps`. `''` when neither is available.
 */
export function processStart(pid: number, { procFolder, askPs }: ProcessSources = systemSources): string {
  try {
    return existsSync(procFolder) ? startTicks(readFileSync(join(procFolder, String(pid), 'stat'), 'utf8')) : askPs(pid).trim()
  } catch {
    return ''
  }
}

function startTicks(stat: string): string {
  // The name, in parentheses, may contain spaces; the start time is the 20th field after it.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}

function askPs(pid: number): string {
  const env = { PATH: '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' }
  return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
    env,
    encoding: 'utf8',
    timeout: 5_000,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}
