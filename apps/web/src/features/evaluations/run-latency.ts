import type { RunCall } from '@heddle/evaluations'

/** The call of a run with its output. */
export type ListedCall = RunCall & { output?: unknown }

/** Seconds that the model took per row, as a run reports their mean when it ends: in an object, or as a number alone. Null if it does not. */
export function latencyOfRun({ output }: ListedCall): number | null {
  const { model_latency: latency } = Object(output) as Record<string, unknown>
  const mean = typeof latency === 'number' ? latency : (Object(latency) as Record<string, unknown>)['mean']
  return typeof mean === 'number' && Number.isFinite(mean) ? mean : null
}
