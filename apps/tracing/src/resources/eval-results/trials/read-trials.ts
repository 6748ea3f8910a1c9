import type { ProjectScope } from '@heddle/identity'
import { toPages } from '../../../payload/to-pages.ts'
import type { CallsStore, PayloadColumn } from '../../calls/calls-store.ts'
import type { PricesFor } from '../../costs/prices.ts'
import type { EvalResultsStore } from '../eval-results-store.ts'
import type { TrialKey } from '../rows/result-row.ts'
import { type ChildCall, toChildCall } from './child-call.ts'
import { type PredictAndScore, toPredictAndScore } from './predict-and-score.ts'
import { type BuiltTrial, toTrial, toTrialAlone } from './to-trial.ts'
import { trialCosts } from './trial-cost.ts'

export interface TrialsDeps {
  store: Pick<EvalResultsStore, 'children'>
  calls: Pick<CallsStore, 'readPage'>
  prices: PricesFor
}

/** What is to be told of trials. */
export interface TrialsView {
  children: boolean
  costs: boolean
}

/** A trial with the example of its call. */
export interface ReadTrial extends Pick<BuiltTrial, 'trial'> {
  example: unknown
}

const payloads: ReadonlySet<PayloadColumn> = new Set<PayloadColumn>(['inputs', 'output', 'attributes', 'summary'])
const firstPage = 200
const largestPage = 500

/** Reads trials in the order of their keys, in pages of at most 500 and 8 MiB. Calls that vanished meanwhile are left out. */
export async function* readTrials(
  deps: TrialsDeps,
  { project, keys, view }: { project: ProjectScope; keys: readonly TrialKey[]; view: TrialsView },
): AsyncGenerator<ReadTrial[]> {
  for (const page of toPages(keys, { first: firstPage, largest: largestPage })) {
    const [found, children] = await Promise.all([
      deps.calls.readPage(project, page, payloads),
      childrenOf(deps, project, view.children ? page : []),
    ])
    const calls = found.map(toPredictAndScore)
    const built = calls.map((call) => (view.children ? toTrial(call, children.get(call.id) ?? []) : toTrialAlone(call)))
    if (view.costs) await addCosts(deps, project, built)
    yield built.map(({ trial }, at) => ({ trial, example: exampleOf(calls[at]) }))
  }
}

function exampleOf(call: PredictAndScore | undefined): unknown {
  return call?.example ?? null
}

async function childrenOf(
  { store }: TrialsDeps,
  project: ProjectScope,
  keys: readonly TrialKey[],
): Promise<ReadonlyMap<string, ChildCall[]>> {
  const children = new Map<string, ChildCall[]>(keys.map(({ id }) => [id, []]))
  const stored = await store.children(
    project,
    keys.map(({ id }) => id),
  )
  for (const child of stored) children.get(child.parent_id)?.push(toChildCall(child))
  return children
}

async function addCosts({ prices }: TrialsDeps, project: ProjectScope, built: readonly BuiltTrial[]): Promise<void> {
  const costs = await trialCosts(
    prices,
    project,
    built.map(({ predictCall }) => predictCall),
  )
  built.forEach(({ trial }, at) => (trial.total_cost = costs[at] ?? null))
}
