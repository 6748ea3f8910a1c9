import { readFileSync } from 'node:fs'

/** What a process has used since its start. Read from `/proc`, so on Linux alone. */
export interface ProcessUsage {
  cpuSeconds: number
  rssBytes: number
  /** Highest `rssBytes` so far. */
  peakRssBytes: number
}

const ticksPerSecond = 100

/** @throws Error when the process is gone. */
export function readUsage(pid: number): ProcessUsage {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  // The name of the program, in parentheses, may hold spaces.
  const times = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  const kilobytes = (name: string) => Number(status.split(`${name}:`)[1]?.trim().split(' ')[0] ?? 0) * 1024
  return {
    cpuSeconds: (Number(times[11]) + Number(times[12])) / ticksPerSecond,
    rssBytes: kilobytes('VmRSS'),
    peakRssBytes: kilobytes('VmHWM'),
  }
}

/** The first child of a process. */
export function childOf(pid: number): number | undefined {
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  return child === undefined || child === '' ? undefined : Number(child)
}
