import { peakOf, type MemorySample } from '../server/watch-memory.ts'

export interface MemoryTrend {
  firstBytes: number
  lastBytes: number
  peakBytes: number
  /** Slope of the straight line through the second half of the samples: the first half is warming up. */
  bytesPerMinute: number
}

/** What happened to the memory from the first sample to the last. */
export function trendOf(samples: readonly MemorySample[]): MemoryTrend {
  return {
    firstBytes: samples[0]?.bytes ?? 0,
    lastBytes: samples.at(-1)?.bytes ?? 0,
    peakBytes: peakOf(samples),
    bytesPerMinute: slopeOf(samples.slice(Math.floor(samples.length / 2))) * 60,
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
