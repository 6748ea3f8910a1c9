import type { PricesByModel } from '../../costs/price-usage.ts'
import type { UsageNode } from '../calls-store.ts'
import { addUsage, isZeroUsage, toPricedUsage, type PricedUsage } from './priced-usage.ts'

export interface RolledUsage {
  /** Usage of each call and all its descendants among the given calls, by model. */
  byCall: Map<string, Map<string, PricedUsage>>
  /** Calls without an end, sorted. */
  unfinished: string[]
}

/**
 * Adds the usage of each call to its parent, bottom-up. A parent that is not among the calls, and a loop of parents, end the way up.
 * Without `prices` nothing costs anything.
 */
export function rollUpUsage(calls: readonly UsageNode[], prices: PricesByModel = new Map()): RolledUsage {
  const nodes = new Map(calls.map((call) => [call.id, call]))
  const byCall = new Map(calls.map((call) => [call.id, ownUsage(call, prices)]))
  for (const call of childrenFirst(calls, nodes)) {
    const parent = byCall.get(call.parent_id)
    if (parent === undefined || call.parent_id === call.id) continue
    for (const [model, usage] of byCall.get(call.id) ?? []) {
      const sum = parent.get(model)
      parent.set(model, sum === undefined ? usage : addUsage(sum, usage))
    }
  }
  return {
    byCall,
    unfinished: calls
      .filter((call) => !call.ended)
      .map((call) => call.id)
      .sort(),
  }
}

function ownUsage({ started_at, usage, uses }: UsageNode, prices: PricesByModel): Map<string, PricedUsage> {
  const own = new Map<string, PricedUsage>()
  for (const [model, counts] of usage) {
    const total_tokens = counts.total_tokens === 0 ? counts.prompt_tokens + counts.completion_tokens : counts.total_tokens
    const priced = toPricedUsage({ ...counts, total_tokens }, { model, started_at, use: uses.find((one) => one.model === model), prices })
    if (!isZeroUsage(priced)) own.set(model, priced)
  }
  return own
}

/** Every call after all of its descendants; calls of a loop of parents are omitted. */
function childrenFirst(calls: readonly UsageNode[], nodes: ReadonlyMap<string, UsageNode>): UsageNode[] {
  const waiting = new Map<string, number>()
  for (const { parent_id } of calls) if (nodes.has(parent_id)) waiting.set(parent_id, (waiting.get(parent_id) ?? 0) + 1)
  const ready = calls.filter((call) => !waiting.has(call.id))
  const ordered: UsageNode[] = []
  for (let call = ready.pop(); call !== undefined; call = ready.pop()) {
    ordered.push(call)
    const left = (waiting.get(call.parent_id) ?? 0) - 1
    const parent = nodes.get(call.parent_id)
    if (parent === undefined) continue
    waiting.set(call.parent_id, left)
    if (left === 0) ready.push(parent)
  }
  return ordered
}
