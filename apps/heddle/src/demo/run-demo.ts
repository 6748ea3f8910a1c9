import { setMaxListeners } from 'node:events'
import { parseProjectId } from '@heddle/identity'
import { addReviewMaterial } from './review-material.ts'
import { measureComparison, type MeasuredComparison } from '../eval/compare/measure-comparison.ts'
import { type DemoContext, createDemoContext, type DemoOptions } from './demo-context.ts'
import type { DemoServer } from './demo-server.ts'
import { startTracing } from './demo-tracing.ts'
import { type CheckpointEvaluation, evaluateCheckpoint } from './evaluate-checkpoint.ts'
import { publishEvaluation } from './evaluation-definition.ts'
import { publishDashboard } from './publish-dashboard.ts'
import { type PractisedRound, practiseRound } from './practise-round.ts'

/** What happens, as it happens. */
export type DemoEvent =
  | { type: 'started'; model: string; options: DemoOptions }
  | { type: 'evaluating'; step: number; done: number; all: number }
  | { type: 'evaluated'; evaluation: CheckpointEvaluation }
  | { type: 'practising'; round: number }
  | { type: 'practised'; round: PractisedRound }

export interface DemoResult extends MeasuredComparison {
  model: { id: string; name: string }
  rounds: PractisedRound[]
  before: CheckpointEvaluation
  after: CheckpointEvaluation
  queueId: string
  /** Name of the object that holds the charts. */
  dashboardId: string
}

export interface DemoDeps {
  signal: AbortSignal
  onEvent: (event: DemoEvent) => void
}

/**
 * Traces an agent, evaluates it, trains it on its own attempts and evaluates it again. Numbers are those that the server measured. What was
 * recorded stays also when it ends early.
 */
export async function runDemo(server: DemoServer, options: DemoOptions, { signal, onEvent }: DemoDeps): Promise<DemoResult> {
  // Each attempt at a task listens.
  setMaxListeners(0, signal)
  const context = await createDemoContext(server, options, signal)
  const traces = startTracing(server, options.project)
  try {
    const id = await context.agent.modelId()
    onEvent({ type: 'started', model: context.modelName, options })
    const { rounds, before, after } = await improve(context, onEvent)
    await traces.flush()
    const { queueId } = await addReviewMaterial(context, [before, after])
    const dashboardId = await publishDashboard(context)
    return {
      ...(await compare(context, before, after)),
      model: { id, name: context.modelName },
      rounds,
      before,
      after,
      queueId,
      dashboardId,
    }
  } finally {
    await traces.close()
  }
}

async function improve(context: DemoContext, onEvent: DemoDeps['onEvent']) {
  const definition = await publishEvaluation(context)
  const evaluate = async (step: number) => {
    const onTask = (done: number, all: number) => onEvent({ type: 'evaluating', step, done, all })
    const evaluation = await evaluateCheckpoint(context, definition, { step, onTask })
    onEvent({ type: 'evaluated', evaluation })
    return evaluation
  }
  const before = await evaluate(0)
  const rounds: PractisedRound[] = []
  for (let round = 1; round <= context.options.rounds; round++) {
    onEvent({ type: 'practising', round })
    const practised = await practiseRound(context, round)
    rounds.push(practised)
    onEvent({ type: 'practised', round: practised })
  }
  return { before, rounds, after: await evaluate(rounds.at(-1)?.step ?? 0) }
}

/** Rows of each kind that the comparison shows. */
const shownRows = 3

function compare({ tracing, options, signal }: DemoContext, before: CheckpointEvaluation, after: CheckpointEvaluation) {
  return measureComparison(
    { client: tracing, exactClient: tracing, project: parseProjectId(options.project), signal },
    [before.runId, after.runId],
    {
      statistics: { confidence: 0.95, seed: options.seed },
      scorers: [],
      limit: shownRows,
      onStep: () => undefined,
    },
  )
}
