import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where a system tells of its processes. */
export interface ProcessSources {
  procFolder: string
  /** What `ps` says of the start of a process. @throws Error when there is no such process, or no `ps` */
  askPs: (pid: number) => string
}

const systemSources: ProcessSources = { procFolder: '/proc', askPs }

/**
 * When a process began, as the system tells it: the same text as long as the process lives, and another for a later process of the same id.
 * Clock ticks since boot where there is `/proc`; elsewhere, as on macOS, the time that `ps` gives. `''` where neither tells.
 */
export function processStart(pid: number, { procFolder, askPs }: ProcessSources = systemSources): string {
  try {
    return existsSync(procFolder) ? startTicks(readFileSync(join(procFolder, String(pid), 'stat'), 'utf8')) : askPs(pid).trim()
  } catch {
    return ''
  }
}

function startTicks(stat: string): string {
  // The name, in parentheses, may hold spaces; the start is the 20th field after it.
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
