import { round } from '../report/percentiles.ts'
import type { Work } from './open-tab.ts'

/** What a page took for something that a person does, beside what it may take. */
export interface Metric {
  what: string
  value: number
  unit: 'ms' | 'MB' | 'rows' | 'requests'
  limit: number
  isHeld: boolean
  /** Processor time of the page for it, where that was counted. */
  cpuMs?: number
}

export function metric(what: string, value: number, limit: number, more: { unit?: Metric['unit']; cpuMs?: number } = {}): Metric {
  const { unit = 'ms', cpuMs } = more
  return { what, value: round(value), unit, limit, isHeld: value <= limit, ...(cpuMs !== undefined && { cpuMs: round(cpuMs) }) }
}

export const longestTask = (what: string, { longestTaskMs, cpuMs }: Work, limit: number): Metric =>
  metric(`${what}: longest task`, longestTaskMs, limit, { cpuMs })

export const megabytes = (what: string, bytes: number, limit: number): Metric => metric(what, bytes / 1e6, limit, { unit: 'MB' })

export const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
