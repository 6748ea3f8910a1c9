import { setImmediate } from 'node:timers/promises'
import { isJsonObject } from '@heddle/core-api/internal'
import type { ProjectScope } from '@heddle/identity'
import { parseJson } from '@heddle/json'
import type { EvalResultsStore, StoredScores } from '../eval-results-store.ts'
import type { EvaluationTrials, TrialKey } from '../rows/evaluation-trials.ts'
import type { TrialPlace } from '../rows/group-rows.ts'
import { placeOfTrial } from '../rows/trial-places.ts'
import { readTrials, type TrialsDeps, type TrialsView } from '../trials/read-trials.ts'
import { totalTokens } from '../trials/total-tokens.ts'
import { createFamilyRulings } from './family-rulings.ts'
import { readFamilies } from './read-families.ts'
import { createTrialMetrics, type TrialMetrics } from './trial-metrics.ts'

export interface MetricsDeps extends TrialsDeps {
  store: Pick<EvalResultsStore, 'scores' | 'families' | 'children'>
}

interface Wanted {
  project: ProjectScope
  evaluations: readonly EvaluationTrials[]
  view: TrialsView
}

/**
 * Reads what a summary counts of all trials, by the places of the evaluations. Trials whose calls are alike are ruled on once; the
 * others, and all where costs are asked for, are read whole.
 */
export async function readMetrics(deps: MetricsDeps, { project, evaluations, view }: Wanted): Promise<TrialMetrics[]> {
  const metrics = evaluations.map(({ trials }) => createTrialMetrics(trials.length))
  const unclear: TrialKey[] = []
  if (view.costs) for (const { trials } of evaluations) unclear.push(...trials)
  else await readAlike(deps, { project, evaluations, view, metrics, unclear })
  for await (const page of readTrials(deps, { project, keys: unclear, view })) {
    for (const { trial } of page) {
      const place = placeOfTrial(evaluations, trial.predict_and_score_call_id)
      if (place !== undefined) set(metrics, place, { scores: trial.scores, tokens: trial.total_tokens, cost: trial.total_cost })
    }
  }
  return metrics
}

/** Reads the trials that need not be read whole; notes the others. */
async function readAlike(
  { store }: MetricsDeps,
  { project, evaluations, view, metrics, unclear }: Wanted & { metrics: TrialMetrics[]; unclear: TrialKey[] },
): Promise<void> {
  const families = view.children ? await readFamilies(store, project, evaluations) : undefined
  const ruleOn = families && createFamilyRulings(families.samples)
  const ids = evaluations.map(({ evaluation_call_id }) => evaluation_call_id)
  for await (const block of store.scores(project, ids)) {
    for (const call of block) {
      const place = placeOfTrial(evaluations, call.id)
      if (place === undefined) continue
      const scores = objectIn(call.scores)
      const family = families?.of[place.evaluation]?.[place.trial]
      const ruling = family && ruleOn ? ruleOn(family.signature, { ...call, scoreKeys: Object.keys(scores) }) : -1
      if (ruling === 'unclear') unclear.push(evaluations[place.evaluation]!.trials[place.trial]!)
      else set(metrics, place, { scores, tokens: ruling === -1 ? ownTokens(call) : (family?.tokens[ruling] ?? null), cost: null })
    }
    await setImmediate()
  }
}

interface Counted {
  scores: Record<string, unknown>
  tokens: number | null
  cost: number | null
}

function set(metrics: readonly TrialMetrics[], { evaluation, trial }: TrialPlace, { scores, tokens, cost }: Counted): void {
  const { leaves, tokens: allTokens, costs } = metrics[evaluation]!
  leaves.set(trial, scores)
  allTokens[trial] = tokens ?? Number.NaN
  costs[trial] = cost ?? Number.NaN
}

function ownTokens({ token_counts }: StoredScores): number | null {
  return token_counts === '' ? null : totalTokens(parseJson(token_counts))
}

function objectIn(json: string): Record<string, unknown> {
  const value = json === '' ? null : parseJson(json, { loneSurrogates: 'keep' })
  return isJsonObject(value) ? value : {}
}
