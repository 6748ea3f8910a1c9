import { readUsage } from '../server/process-usage.ts'
import type { BenchServer } from '../server/start-server.ts'

/** Memory at one time. */
export interface MemorySample {
  seconds: number
  bytes: number
}

export interface MemoryTrend {
  firstBytes: number
  lastBytes: number
  peakBytes: number
  /** Slope of the straight line through the second half of the samples: the first half is warming up. */
  bytesPerMinute: number
}

const intervalMs = 500

/** Follows the memory of service and engine together until it is stopped. */
export function followMemory(server: Pick<BenchServer, 'pid' | 'enginePid'>): { stop(): MemoryTrend } {
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
      return {
        firstBytes: samples[0]?.bytes ?? 0,
        lastBytes: samples.at(-1)?.bytes ?? 0,
        peakBytes: Math.max(...samples.map(({ bytes }) => bytes)),
        bytesPerMinute: slopeOf(samples.slice(Math.floor(samples.length / 2))) * 60,
      }
    },
  }
}

/** Bytes per second of the line with the least squares; 0 of fewer than two samples. */
export function slopeOf(samples: readonly MemorySample[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const time = mean(samples.map(({ seconds }) => seconds))
  const level = mean(samples.map(({ bytes }) => bytes))
  const spread = samples.reduce((sum, { seconds }) => sum + (seconds - time) ** 2, 0)
  if (samples.length < 2 || spread === 0) return 0
  return samples.reduce((sum, { seconds, bytes }) => sum + (seconds - time) * (bytes - level), 0) / spread
}
