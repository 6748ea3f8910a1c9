import { inParts } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { ModelUsage } from '../../../query/model-usage.ts'
import type { TrialGroup } from '../../../query/results/summary-query.ts'
import { costOfUsage, type UsageCost } from '../../../records/costs/cost-of-usage.ts'
import type { PricesFor } from '../../../records/costs/prices.ts'
import type { EvalResultsStore, SummaryInput } from '../eval-results-store.ts'
import type { CountedUsage } from '../trials/counted-usage.ts'
import type { CountedTrial } from '../trials/usage-of-trials.ts'
import type { TrialGroupClass } from './classify-trial-group.ts'

/** Usage that counts for the trials of one evaluation with the same kind of predict call. */
export interface CountedTrials {
  /** Index of the evaluation. */
  place: string
  /** 0 where nothing counts. */
  tokens: number
  /** Undefined where no costs are wanted. */
  cost: UsageCost | undefined
}

interface CountingDeps {
  store: Pick<EvalResultsStore, 'groupedTrials' | 'childMarks'>
  prices: PricesFor
}

interface Counting {
  project: ProjectScope
  input: SummaryInput
  counted: CountedUsage
  costs: boolean
  ruled: readonly { group: TrialGroup; groupClass: TrialGroupClass }[]
}

/** Groups whose trials are found by one statement, and trials whose calls are. */
const groupsAtOnce = 20_000
const trialsAtOnce = 4_000

/** Sums up what counts for the trials of groups, from columns alone. */
export async function countGroups(deps: CountingDeps, { ruled, ...counting }: Counting): Promise<CountedTrials[]> {
  const byKind = new Map<string | null, string[]>()
  for (const { group, groupClass } of ruled) byKind.set(groupClass.predictKind, [...(byKind.get(groupClass.predictKind) ?? []), group.name])
  const sums = new Map<string, { tokens: number; usage: ModelUsage[] }>()
  for (const [predictKind, names] of byKind) {
    for (const some of inParts(names, groupsAtOnce))
      for await (const { place, ...trial } of countedTrials(deps, counting, { predictKind, names: some })) {
        const found = counting.counted.of(trial)
        if (found === undefined) continue
        const sum = sums.get(place) ?? { tokens: 0, usage: [] }
        sum.tokens += found.tokens
        for (const used of found.usage) sum.usage.push(used)
        sums.set(place, sum)
      }
  }
  const models = new Set([...sums.values()].flatMap(({ usage }) => usage.map(({ model }) => model)))
  const ofModels = counting.costs ? await deps.prices(counting.project, models) : undefined
  return [...sums].map(([place, { tokens, usage }]) => ({
    place,
    tokens,
    cost: ofModels === undefined ? undefined : costOfUsage(usage, ofModels),
  }))
}

/** The trials of groups, each with its child of the kind, of which each has one. */
async function* countedTrials(
  { store }: CountingDeps,
  { project, input }: Pick<Counting, 'project' | 'input'>,
  { predictKind, names }: { predictKind: string | null; names: readonly string[] },
): AsyncGenerator<CountedTrial & { place: string }> {
  const trials = await store.groupedTrials(project, input, names)
  if (predictKind === null) {
    for (const { place, id } of trials) yield { place, trialId: id, predictId: null }
    return
  }
  const places = new Map(trials.map(({ id, place }) => [id, place]))
  const ids = [...places.keys()]
  for (const some of inParts(ids, trialsAtOnce))
    for (const { id, parent_id, kind } of await store.childMarks(project, some, { usage: false }))
      if (kind === predictKind) yield { place: places.get(parent_id) ?? '', trialId: parent_id, predictId: id }
}
