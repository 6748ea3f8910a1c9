import type { JsonObject } from '@heddle/core-api'
import { isJsonObject } from '@heddle/core-api/internal'
import { autoSummary } from '../../../domain/scoring/auto-summary.ts'
import type { RunnableScorer } from '../../../domain/scoring/runnable-scorer.ts'
import type { RowOutput } from './evaluate-row.ts'

/** Results of the rows of a run by column, in the order of the rows. */
export interface RunColumns {
  /** Adds the row at a position; null for one that failed. */
  add(position: number, row: RowOutput | null): void
  /** The result of the run, and the summary of each scorer in their order. */
  summarize(): { output: JsonObject; ofScorers: unknown[] }
}

export function createRunColumns(scorers: readonly RunnableScorer[]): RunColumns {
  const outputs: unknown[] = []
  const latencies: unknown[] = []
  const scores = scorers.map((): unknown[] => [])
  return {
    add(position, row) {
      outputs[position] = summarizable(row?.output ?? null)
      latencies[position] = row?.model_latency ?? null
      for (const [at, { name }] of scorers.entries()) (scores[at] ?? [])[position] = summarizable(row?.scores[name] ?? {})
    },
    summarize() {
      const ofScorers = scores.map((column) => autoSummary(column))
      const [output, latency] = [autoSummary(outputs), autoSummary(latencies)]
      return {
        output: {
          ...(output !== null && { output }),
          ...Object.fromEntries(scorers.map(({ name }, at) => [name, ofScorers[at] ?? null])),
          ...(latency !== null && { model_latency: latency }),
        },
        ofScorers,
      }
    },
  }
}

/** A value without the texts and lists in it, which have no summary: a run may have many large ones. */
function summarizable(value: unknown): unknown {
  if (typeof value === 'string') return ''
  if (Array.isArray(value)) return []
  return isJsonObject(value) ? Object.fromEntries(Object.entries(value).map(([key, part]) => [key, summarizable(part)])) : value
}
