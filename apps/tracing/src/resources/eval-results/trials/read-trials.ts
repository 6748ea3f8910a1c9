import type { ProjectScope } from '@heddle/identity'
import { toPages } from '../../../payload/to-pages.ts'
import type { PricesFor } from '../../costs/prices.ts'
import type { EvalResultsStore } from '../eval-results-store.ts'
import type { TrialKey } from '../rows/result-row.ts'
import { mayBeLate } from './late-scores.ts'
import { type PredictAndScore, toPredictAndScore } from './predict-and-score.ts'
import { completeChildren, type MarkedChildren, readMarkedChildren } from './read-children.ts'
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
}

/** A trial with the example of its call. */
export interface ReadTrial extends Pick<BuiltTrial, 'trial'> {
  example: unknown
}

const firstPage = 200
const largestPage = 500

/** Reads trials in the order of their keys, in pages of at most 500 and 8 MiB. Calls that vanished meanwhile are left out. */
export async function* readTrials(
  deps: TrialsDeps,
  { project, keys, view }: { project: ProjectScope; keys: readonly TrialKey[]; view: TrialsView },
): AsyncGenerator<ReadTrial[]> {
  for (const page of toPages(keys, { first: firstPage, largest: largestPage })) {
    const parents = view.children ? page.map(({ id }) => id) : []
    const [found, marked] = await Promise.all([
      deps.store.trials(project, page),
      readMarkedChildren(deps.store, { project, parents, usage: view.costs }),
    ])
    const calls = found.map(toPredictAndScore)
    const children = await withLateScores(deps, { project, calls, marked })
    const built = calls.map((call) => (view.children ? toTrial(call, children.get(call.id) ?? []) : toTrialAlone(call)))
    if (view.costs) await addCosts(deps, project, built)
    yield built.map(({ trial }, at) => ({ trial, example: exampleOf(calls[at]) }))
  }
}

function exampleOf(call: PredictAndScore | undefined): unknown {
  return call?.example ?? null
}

/** The calls below others, those whose output may be a score with it. */
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
  built.forEach(({ trial }, at) => (trial.total_cost = costs[at] ?? null))
}
