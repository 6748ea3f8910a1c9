import type { JsonObject } from '@heddle/core-api'
import { isJsonObject, numberText } from '@heddle/core-api/internal'

/** Token counts by the name of a model. */
export type UsageByModel = Record<string, JsonObject>

/** Deeper counts, and more members of one object, are none of a provider. */
const maxDepth = 3
const maxMembers = 100
const maxTierCharacters = 100

/** Adds the counts of `more` to `total`. A service tier is that of all that was added, and omitted if it is not the same. */
export function addUsage(total: UsageByModel, more: UsageByModel): void {
  for (const [model, counts] of Object.entries(more)) {
    const sum = total[model]
    if (sum === undefined) {
      total[model] = structuredClone(counts)
      continue
    }
    if (sum['service_tier'] !== counts['service_tier']) delete sum['service_tier']
    addCounts(sum, counts)
  }
}

function addCounts(sum: JsonObject, counts: JsonObject): void {
  for (const [name, count] of Object.entries(counts)) {
    const known = Object.hasOwn(sum, name) ? sum[name] : undefined
    if (typeof count === 'number') sum[name] = (typeof known === 'number' ? known : 0) + count
    else if (isJsonObject(count)) {
      const below: JsonObject = isJsonObject(known) ? known : {}
      addCounts(below, count)
      sum[name] = below
    }
  }
}

/**
 * The usage of one response of a model, in the form of a call's summary: all counts, including those of cached, reasoning, audio and image tokens,
 * the reported cost, and the service tier that answered.
 */
export function usageOfAnswer(model: string, { usage, service_tier }: JsonObject): UsageByModel {
  if (!isJsonObject(usage)) return {}
  const tier = [usage['service_tier'], service_tier].find((word) => typeof word === 'string' && word.length <= maxTierCharacters)
  return { [model]: { requests: 1, ...countsIn(usage, maxDepth), ...(tier !== undefined && { service_tier: tier }) } }
}

function countsIn(counts: JsonObject, depth: number): JsonObject {
  const entries = Object.entries(counts)
    .slice(0, maxMembers)
    .filter(([name]) => name !== '__proto__')
  return Object.fromEntries(
    entries.flatMap(([name, count]): [string, number | JsonObject][] => {
      const text = numberText(count)
      if (text !== undefined) return [[name, Number(text)]]
      const below = isJsonObject(count) && depth > 1 ? countsIn(count, depth - 1) : {}
      return Object.keys(below).length === 0 ? [] : [[name, below]]
    }),
  )
}
