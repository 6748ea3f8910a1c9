import { readdir, readFile } from 'node:fs/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import type { Readings, Sample } from './registry.ts'

export interface ProcessMetrics {
  read(): Promise<Readings>
  /** Stops measuring the event loop. */
  close(): void
}

/** Measures this process. */
export function watchProcess(): ProcessMetrics {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()

  function readDelay(): readonly Sample[] {
    const at = (quantile: string, nanoseconds: number): Sample[] =>
      // Nothing was measured within the first 20 ms.
      delay.count === 0 ? [] : [{ value: nanoseconds / 1e9, labels: { quantile } }]
    const samples = [...at('0.5', delay.percentile(50)), ...at('0.99', delay.percentile(99)), ...at('1', delay.max)]
    delay.reset()
    return samples
  }

  return {
    async read() {
      const { user, system } = process.cpuUsage()
      const openFiles = await countOpenFiles()
      return {
        cpuSeconds: [{ value: (user + system) / 1e6 }],
        residentMemory: [{ value: process.memoryUsage.rss() }],
        startTime: [{ value: performance.timeOrigin / 1_000 }],
        openFiles: openFiles === undefined ? [] : [{ value: openFiles }],
        heapUsed: [{ value: process.memoryUsage().heapUsed }],
        heapLimit: [{ value: getHeapStatistics().heap_size_limit }],
        loopDelay: readDelay(),
      }
    },
    close: () => delay.disable(),
  }
}

/** Undefined if the system has no `/proc`. */
async function countOpenFiles(): Promise<number | undefined> {
  const names = await readdir('/proc/self/fd').catch(() => undefined)
  return names?.length
}

/** Resident memory of a process in bytes; undefined if the system does not report it, or the process has exited. */
export async function residentMemoryOf(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const [, kibibytes] = /^VmRSS:\s+([0-9]+) kB$/m.exec(status) ?? []
  return kibibytes === undefined ? undefined : Number(kibibytes) * 1024
}
