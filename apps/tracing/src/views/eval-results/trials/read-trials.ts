import type { ProjectScope } from '@heddle/identity'
import type { PlainRowTrial } from '../../../query/results/trials-in.ts'
import { toPages } from '../../../payload/to-pages.ts'
import { costOfUsage, type StatedSource, toStatedSource } from '../../../records/costs/cost-of-usage.ts'
import type { PricesFor } from '../../../records/costs/prices.ts'
import { slicesOf } from '../../../slices-of.ts'
import type { EvalResultsStore } from '../eval-results-store.ts'
import type { TrialKey } from '../result-row.ts'
import { largePageTrials } from '../large-pages.ts'
import { mayBeLate } from './late-scores.ts'
import { isPlain, type PredictAndScore, toPlainPredictAndScore, toPredictAndScore } from './predict-and-score.ts'
import { completeChildren, type MarkedChildren, markedChildrenOf } from './read-children.ts'
import { byTime } from './by-time.ts'
import type { CountedUsage } from './counted-usage.ts'
import { type BuiltTrial, toTrial, toTrialAlone } from './to-trial.ts'
import { trialCosts } from './trial-cost.ts'

export interface TrialsDeps {
  store: Pick<EvalResultsStore, 'trials' | 'childMarks' | 'children'>
  prices: PricesFor
}

/** Which fields of trials are returned. */
export interface TrialsView {
  children: boolean
  costs: boolean
  /** What counts of their tokens; undefined where trials have what their calls report. */
  counted: CountedUsage | undefined
}

/** A trial with the example of its call. */
export interface ReadTrial<Key extends TrialKey = TrialKey> extends Pick<BuiltTrial, 'trial'> {
  key: Key
  example: unknown
}

const firstPage = 200
const largestPage = 500
const pageOfMany = 4_000
/** Trials that are built before yielding to the event loop. */
const builtAtOnce = 50

/** Data of some trials read together with their keys. */
export interface KnownTrials {
  /** By id. */
  plain: ReadonlyMap<string, PlainRowTrial>
  children: MarkedChildren
}

const nothingKnown: KnownTrials = { plain: new Map(), children: new Map() }

interface ReadTrialsOptions<Key extends TrialKey> {
  project: ProjectScope
  keys: readonly Key[]
  view: TrialsView
  known?: KnownTrials
}

/** Reads trials in any order, in pages of at most 4,000 and 8 MiB. Calls that vanished meanwhile are omitted. */
export async function* readTrials<Key extends TrialKey>(
  deps: TrialsDeps,
  { keys, ...read }: ReadTrialsOptions<Key>,
): AsyncGenerator<ReadTrial<Key>[]> {
  for (const page of toReadPages(keys)) yield* readPage(deps, { ...read, keys: page })
}

function* toReadPages<Key extends TrialKey>(keys: readonly Key[]): Generator<Key[]> {
  // Many are all over the table: then they are read in the order in which they lie there.
  if (keys.length <= largePageTrials) yield* toPages(keys, { first: firstPage, largest: largestPage })
  else for (const near of byTime(keys, pageOfMany)) yield* toPages(near, { first: pageOfMany, largest: pageOfMany })
}

async function* readPage<Key extends TrialKey>(
  deps: TrialsDeps,
  { project, keys, view, known = nothingKnown }: ReadTrialsOptions<Key>,
): AsyncGenerator<ReadTrial<Key>[]> {
  const parents = view.children ? keys.map(({ id }) => id) : []
  const plain = keys.flatMap(({ id }) => known.plain.get(id) ?? []).filter(isPlain)
  const calls = new Map<string, PredictAndScore>()
  for await (const some of slicesOf(plain, builtAtOnce)) for (const call of some) calls.set(call.id, toPlainPredictAndScore(call))
  const unread = keys.filter(({ id }) => !calls.has(id))
  const [found, marked] = await Promise.all([
    deps.store.trials(project, unread),
    markedChildrenOf(deps.store, { project, parents, usage: view.costs, known: known.children }),
  ])
  for await (const some of slicesOf(found, builtAtOnce)) for (const call of some) calls.set(call.id, toPredictAndScore(call))
  const children = await withLateScores(deps, { project, calls: [...calls.values()], marked })
  for await (const some of slicesOf(keys, builtAtOnce)) {
    const built = some.flatMap((key) => {
      const call = calls.get(key.id)
      if (call === undefined) return []
      return { key, example: call.example, ...(view.children ? toTrial(call, children.get(call.id) ?? []) : toTrialAlone(call)) }
    })
    if (view.costs) await addCosts(deps, project, built)
    if (view.counted) await setCounted(deps, { project, built, counted: view.counted, costs: view.costs })
    yield built
  }
}

/** The calls below other calls, with the output of those that may be scores. */
function withLateScores(
  { store }: TrialsDeps,
  { project, calls, marked }: { project: ProjectScope; calls: readonly PredictAndScore[]; marked: MarkedChildren },
) {
  const keys = new Map(calls.map(({ id, scores }) => [id, Object.keys(scores)]))
  return completeChildren(store, { project, marked, isEnough: (parent, child) => !mayBeLate(child, keys.get(parent) ?? []) })
}

async function addCosts({ prices }: TrialsDeps, project: ProjectScope, built: readonly BuiltTrial[]): Promise<void> {
  const costs = await trialCosts(
    prices,
    project,
    built.map(({ predictCall }) => predictCall),
  )
  built.forEach(({ trial }, at) => {
    const { cost = null, pricedAs = [] } = costs[at] ?? {}
    setCost(trial, cost, toStatedSource({ pricedAs, reported: 0 }))
  })
}

function setCost(trial: BuiltTrial['trial'], cost: number | null, source: StatedSource): void {
  trial.total_cost = cost
  delete trial.priced_as
  delete trial.reported_uses
  Object.assign(trial, source)
}

interface Counting {
  project: ProjectScope
  built: readonly BuiltTrial[]
  counted: CountedUsage
  costs: boolean
}

/** Gives trials the tokens and costs that count for them. */
async function setCounted({ prices }: TrialsDeps, { project, built, counted, costs }: Counting): Promise<void> {
  const below = built.map(({ trial }) => counted.of({ trialId: trial.predict_and_score_call_id, predictId: trial.predict_call_id }))
  const ofModels = costs
    ? await prices(project, new Set(below.flatMap((found) => found?.usage.map(({ model }) => model) ?? [])))
    : new Map()
  built.forEach(({ trial }, at) => {
    const found = below[at]
    if (found === undefined) return
    // A call that reports 0 tokens is not one that reports none.
    trial.total_tokens = found.tokens > 0 ? found.tokens : trial.total_tokens === null ? null : 0
    if (!costs) return
    const cost = costOfUsage(found.usage, ofModels)
    setCost(trial, cost.cost, toStatedSource(cost))
  })
}
