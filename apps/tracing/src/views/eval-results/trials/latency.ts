import { isJsonObject, numberText } from '@heddle/core-api/internal'

/** Start and end in microseconds; no end while the call runs. */
export interface TimeSpan {
  started_micros: number
  ended_micros: number | null
}

/** Seconds from start to end; null while the call runs. */
export function durationSeconds({ started_micros, ended_micros }: TimeSpan): number | null {
  return ended_micros === null ? null : (ended_micros - started_micros) / 1e6
}

/** Seconds that the model took, from the output of the predict-and-score call; null if it has none. */
export function latencyInOutput(output: Record<string, unknown>): number | null {
  const { model_latency: latency } = output
  return readNumber(isJsonObject(latency) ? latency.mean : latency)
}

function readNumber(value: unknown): number | null {
  const text = numberText(value)
  return text === undefined || !Number.isFinite(Number(text)) ? null : Number(text)
}
