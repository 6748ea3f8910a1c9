import { inParts } from '@heddle/datastore'
import { compareCodePoints } from '@heddle/json'
import { formatTimestamp } from '@heddle/core-api'
import type { EvalResults } from '@heddle/core-api/types'
import { tooLarge } from '@heddle/core-api/internal'
import type { ProjectScope } from '@heddle/identity'
import type { TrialGroup } from '../../../query/results/summary-query.ts'
import type { EvalResultsStore, StoredRoot, SummaryInput } from '../eval-results-store.ts'
import type { ChildCall } from '../trials/child-call.ts'
import { completeChildren, readMarkedChildren } from '../trials/read-children.ts'
import { readTrials, type TrialsDeps, type TrialsView } from '../trials/read-trials.ts'
import { countGroups } from './counted-groups.ts'
import { createEvaluationTotals, type EvaluationTotals } from './evaluation-totals.ts'
import { type TrialGroupClass, classifyTrialGroup } from './classify-trial-group.ts'
import { predictCosts } from './predict-costs.ts'

type Summary = NonNullable<EvalResults['summary']>

export interface SummaryDeps extends TrialsDeps {
  store: Pick<
    EvalResultsStore,
    'trialGroups' | 'groupedTrials' | 'groupUsage' | 'specialCalls' | 'trials' | 'childMarks' | 'children' | 'roots'
  >
}

interface SummarizeOptions {
  project: ProjectScope
  input: SummaryInput
  view: TrialsView
  /** How many rows count. */
  rowCount(): Promise<number>
}

/** A group whose trials are all alike in what counts, so that they are added up together. */
interface ClassifiedGroup {
  group: TrialGroup
  groupClass: TrialGroupClass
}

/** The totals of an evaluation, by its position in the request, which statements return as text. */
type TotalsAt = (place: string) => EvaluationTotals

interface PredictCosts extends Pick<SummarizeOptions, 'project' | 'input'> {
  ruled: readonly ClassifiedGroup[]
  totalsAt: TotalsAt
}

/** Samples of families that are read by one statement. */
const samplesAtOnce = 500
/** Groups whose trials are found by one statement. */
const groupsAtOnce = 20_000
/** Trials that are read one by one. */
const maxSingleTrials = 1_000_000

/**
 * Summarizes rows. The engine adds up equal trials; only the others are read.
 * @throws 413 for too many kinds of trials, too many different values of scores, and above 1,000,000 unique trials
 */
export async function summarize(deps: SummaryDeps, { project, input, view, rowCount }: SummarizeOptions): Promise<Summary> {
  const totals = new Map<number, EvaluationTotals>()
  const totalsAt: TotalsAt = (place) => {
    const known = totals.get(Number(place)) ?? createEvaluationTotals()
    totals.set(Number(place), known)
    return known
  }
  const groups = await deps.store.trialGroups(project, input)
  const samples = await readSamples(deps, project, view.children ? groups : [])
  const unlike: string[] = []
  const ruled: ClassifiedGroup[] = []
  for (const group of groups) {
    const groupClass = classifyTrialGroup(group, samples.get(group.family) ?? [])
    if (groupClass === undefined) unlike.push(group.name)
    else ruled.push({ group, groupClass })
  }
  const isCounted = ({ group }: { group: TrialGroup }) => view.counted?.has(group.sample) === true
  for (const one of ruled) totalsAt(one.group.place).addGroup(one.group, one.groupClass, isCounted(one))
  if (view.counted !== undefined) {
    const counting = { project, input, counted: view.counted, costs: view.costs, ruled: ruled.filter(isCounted) }
    for (const { place, tokens, cost } of await countGroups(deps, counting)) {
      if (tokens > 0) totalsAt(place).addTokens(tokens)
      if (cost !== undefined) totalsAt(place).addCost(cost)
    }
  }
  await addSingleTrials(deps, { project, input, view, names: unlike, totalsAt })
  if (view.costs && view.children) await addPredictCosts(deps, { project, input, ruled: ruled.filter((one) => !isCounted(one)), totalsAt })
  return toSummary(await rootsOf(deps, project, input.evaluations), { totals, evaluations: input.evaluations, rowCount: await rowCount() })
}

/** Adds what the calls of predictions cost, of groups whose usage is not counted by calls. */
async function addPredictCosts(deps: SummaryDeps, { project, input, ruled, totalsAt }: PredictCosts): Promise<void> {
  const predictKinds = new Map(
    ruled.flatMap(({ group, groupClass: { predictKind } }) => (predictKind === null ? [] : [[group.name, predictKind]])),
  )
  const costs = await predictCosts(deps, { project, input, predictKinds })
  for (const { group } of ruled) {
    const cost = costs.get(group.name)
    if (cost !== undefined) totalsAt(group.place).addCost(cost)
  }
}

/** The calls of one family of each kind. */
async function readSamples(
  { store }: SummaryDeps,
  project: ProjectScope,
  groups: readonly TrialGroup[],
): Promise<ReadonlyMap<string, readonly ChildCall[]>> {
  const families = new Map(groups.map(({ family, sample }) => [family, sample]))
  families.delete('')
  const familyOf = new Map([...families].map(([family, sample]) => [sample, family]))
  const samples = new Map<string, readonly ChildCall[]>()
  const parentIds = [...familyOf.keys()]
  for (const some of inParts(parentIds, samplesAtOnce)) {
    const marked = await readMarkedChildren(store, { project, parents: some, usage: false })
    for (const [parent, calls] of await completeChildren(store, { project, marked, isEnough: () => true }))
      samples.set(familyOf.get(parent) ?? '', calls)
  }
  return samples
}

interface SingleTrials extends Pick<SummarizeOptions, 'project' | 'input' | 'view'> {
  /** Groups whose trials are summarized. */
  names: readonly string[]
  totalsAt: TotalsAt
}

async function addSingleTrials(deps: SummaryDeps, { project, input, view, names, totalsAt }: SingleTrials): Promise<void> {
  for (const some of inParts(names, groupsAtOnce)) {
    const keys = new Map<string, Awaited<ReturnType<EvalResultsStore['groupedTrials']>>[number]>()
    for (const key of await deps.store.groupedTrials(project, input, some)) keys.set(key.id, key)
    if (keys.size > maxSingleTrials)
      throw tooLarge(`The evaluations have more than ${maxSingleTrials} trials that are unlike each other: ask for fewer evaluations`)
    for await (const page of readTrials(deps, { project, keys: [...keys.values()], view })) {
      for (const { trial } of page) {
        const key = keys.get(trial.predict_and_score_call_id)
        if (key !== undefined) totalsAt(key.place).addTrial(key, trial)
      }
    }
  }
}

async function rootsOf({ store }: SummaryDeps, project: ProjectScope, ids: readonly string[]): Promise<ReadonlyMap<string, StoredRoot>> {
  return new Map((await store.roots(project, ids)).map((root) => [root.id, root]))
}

interface SummaryCounts {
  totals: ReadonlyMap<number, EvaluationTotals>
  evaluations: readonly string[]
  rowCount: number
}

/** Evaluations are in the order in which their rows begin. */
function toSummary(roots: ReadonlyMap<string, StoredRoot>, { totals, evaluations, rowCount }: SummaryCounts): Summary {
  const counted = [...totals].sort(
    ([place, one], [otherPlace, other]) => compareCodePoints(one.firstRow(), other.firstRow()) || place - otherPlace,
  )
  return {
    row_count: rowCount,
    evaluations: counted.map(([place, counter]) => {
      const evaluation_call_id = evaluations[place]!
      return { evaluation_call_id, ...counter.finish(), ...rootFields(roots.get(evaluation_call_id)) }
    }),
  }
}

function rootFields(root: StoredRoot | undefined) {
  if (root === undefined) return { evaluation_ref: null, model_ref: null, display_name: null, trace_id: null, started_at: null }
  return {
    evaluation_ref: textIn(root.self) ?? textIn(root.this),
    model_ref: textIn(root.model),
    display_name: root.display_name === '' ? null : root.display_name,
    trace_id: root.trace_id,
    started_at: formatTimestamp(root.started_at).replace(/Z$/, '+00:00'),
  }
}

function textIn(json: string): string | null {
  return json.startsWith('"') ? (JSON.parse(json) as string) : null
}
