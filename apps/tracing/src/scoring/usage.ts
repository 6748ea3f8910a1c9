import type { JsonObject } from '@heddle/core-api'
import { isJsonObject } from '@heddle/core-api/internal'
import { isJsonNumber } from '@heddle/core-api/internal'

/** Token counts by the name of a model. */
export type UsageByModel = Record<string, JsonObject>

/** Adds the counts of one to those of another; what is not a number counts as nothing. */
export function addUsage(total: UsageByModel, more: UsageByModel): void {
  for (const [model, counts] of Object.entries(more)) {
    const sum: JsonObject = (total[model] ??= {})
    for (const [name, count] of Object.entries(counts)) {
      if (typeof count === 'number' || isJsonNumber(count)) sum[name] = Number(sum[name] ?? 0) + Number(count)
    }
  }
}

/** The usage of one answer of a model, as a call states it. */
export function usageOfAnswer(model: string, { usage }: JsonObject): UsageByModel {
  if (!isJsonObject(usage)) return {}
  const counts = Object.entries(usage).filter(([, count]) => typeof count === 'number' || isJsonNumber(count))
  return { [model]: { requests: 1, ...Object.fromEntries(counts.map(([name, count]) => [name, Number(count)])) } }
}
