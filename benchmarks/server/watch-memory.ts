import type { BenchServer } from './start-server.ts'
import { readUsage } from './process-usage.ts'

const intervalMs = 200

/** Memory of both processes together at one time, in seconds since the start of the watch. */
export interface MemorySample {
  seconds: number
  bytes: number
}

/** Follows the memory of service and engine together. */
export interface MemoryWatch {
  /** All samples so far, with one of now at the end; nothing more is read. */
  stop(): readonly MemorySample[]
}

export function watchMemory(server: Pick<BenchServer, 'pid' | 'enginePid'>): MemoryWatch {
  const startMs = performance.now()
  const samples: MemorySample[] = []
  const look = () => {
    const bytes = readUsage(server.pid).rssBytes + readUsage(server.enginePid).rssBytes
    samples.push({ seconds: (performance.now() - startMs) / 1000, bytes })
  }
  look()
  const timer = setInterval(look, intervalMs)
  return {
    stop() {
      clearInterval(timer)
      look()
      return samples
    },
  }
}

/** Highest of them, in bytes. */
export function peakOf(samples: readonly MemorySample[]): number {
  return samples.reduce((highest, { bytes }) => Math.max(highest, bytes), 0)
}
