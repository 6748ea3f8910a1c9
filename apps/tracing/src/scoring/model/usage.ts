import type { JsonObject } from '@heddle/core-api'
import { isJsonNumber, isJsonObject } from '@heddle/core-api/internal'

/** Token counts by the name of a model. */
export type UsageByModel = Record<string, JsonObject>

/** Adds the counts of `more` to `total`; values that are not numbers are ignored. */
export function addUsage(total: UsageByModel, more: UsageByModel): void {
  for (const [model, counts] of Object.entries(more)) {
    const sum: JsonObject = (total[model] ??= {})
    for (const [name, count] of Object.entries(counts)) {
      if (typeof count === 'number' || isJsonNumber(count)) sum[name] = Number(sum[name] ?? 0) + Number(count)
    }
  }
}

/** The usage of one response of a model, as the summary of a call has it. */
export function usageOfAnswer(model: string, { usage }: JsonObject): UsageByModel {
  if (!isJsonObject(usage)) return {}
  const counts = Object.entries(usage).filter(([, count]) => typeof count === 'number' || isJsonNumber(count))
  return { [model]: { requests: 1, ...Object.fromEntries(counts.map(([name, count]) => [name, Number(count)])) } }
}
