import type { RecordedGroup } from '@heddle/agent-instrumentation'
import { trace } from '@opentelemetry/api'
import { attemptSeed } from './attempt-seed.ts'
import type { DemoContext } from './demo-context.ts'
import { type EvaluationDefinition, publishCheckpoint } from './evaluation-definition.ts'
import { nameAttempt } from './name-attempt.ts'
import { type Attempt, attemptTask } from './weather-agent.ts'
import type { WeatherTask } from './weather-tasks.ts'

/** An evaluation run with what it found, task by task. */
export interface CheckpointEvaluation {
  runId: string
  step: number
  predictions: EvaluatedTask[]
}

export interface EvaluatedTask extends Attempt {
  task: WeatherTask
  predictionId: string
  /** The trace of the attempt; null if nothing was traced. */
  trace: { trace_id: string; span_id: string } | null
  /** When the attempt began and ended. */
  times: { started_at: string; ended_at: string }
}

/** Tasks that are evaluated at a time. */
const tasksAtOnce = 8

/**
 * Runs the agent once on each task that is held out, with the weights of one step, and records it as an evaluation run. The seed of an attempt
 * is that of its task, the same for every step.
 */
export async function evaluateCheckpoint(
  context: DemoContext,
  definition: EvaluationDefinition,
  { step, onTask }: { step: number; onTask: (done: number, all: number) => void },
): Promise<CheckpointEvaluation> {
  const { tracing, place, tasks, signal, agent } = context
  const model = await publishCheckpoint(context, step)
  const body = { evaluation: definition.evaluation, model }
  const { evaluation_run_id: runId } = await tracing.evaluationRuns.create({ ...place, ...body }, { signal })
  const predictions: EvaluatedTask[] = []
  const groups: RecordedGroup[] = []
  for (let first = 0; first < tasks.heldOut.length; first += tasksAtOnce) {
    const some = tasks.heldOut.slice(first, first + tasksAtOnce)
    const done = await Promise.all(some.map((task, at) => evaluateTask(context, { task, at: first + at, step })))
    predictions.push(
      ...(await Promise.all(
        done.map(({ attempted }) => recordPrediction(context, { attempted, runId, model, scorer: definition.scorer })),
      )),
    )
    groups.push(...done.map(({ group }) => group))
    onTask(predictions.length, tasks.heldOut.length)
  }
  await tracing.evaluationRuns.finish({ ...place, evaluation_run_id: runId }, { signal })
  await agent.log('val', groups)
  return { runId, step, predictions }
}

type TaskAttempt = Omit<EvaluatedTask, 'predictionId'>

/** An attempt outside of training is a trajectory as well, so that its trace has the same form. */
async function evaluateTask(
  { agent, agentClient: client, address, options, signal }: DemoContext,
  { task, at, step }: { task: WeatherTask; at: number; step: number },
): Promise<{ attempted: TaskAttempt; group: RecordedGroup }> {
  const seed = attemptSeed(options.seed, { round: 0, task: at, attempt: 0 })
  const group = agent.group({ attempts: 1, metadata: { scenario_id: task.question, city: task.city } })
  let attempted: TaskAttempt | undefined
  const recorded = await group.run(async (trajectory) => {
    nameAttempt()
    const started_at = new Date().toISOString()
    const attempt = await attemptTask(task, { client, model: `${address}:step${step}`, seed, signal })
    const times = { started_at, ended_at: new Date().toISOString() }
    trajectory.metric('correct', attempt.correct)
    trajectory.reward(attempt.reward, { source: 'weather table' })
    const span = trace.getActiveSpan()?.spanContext()
    attempted = { task, ...attempt, times, trace: span ? { trace_id: span.traceId, span_id: span.spanId } : null }
  })
  signal.throwIfAborted()
  if (!attempted)
    throw new Error(`the attempt at ${JSON.stringify(task.question)} failed: ${recorded.exceptions[0]?.message ?? 'no reason given'}`)
  return { attempted, group: recorded }
}

interface AttemptRecord {
  attempted: TaskAttempt
  runId: string
  model: string
  scorer: string
}

/** As any program records one: the prediction with its times and the span that made it, its score, its end. */
async function recordPrediction(
  { tracing, place, signal }: DemoContext,
  { attempted, runId, model, scorer }: AttemptRecord,
): Promise<EvaluatedTask> {
  const { task, answer, asked, correct, reward, times, trace: span } = attempted
  const run = { ...place, evaluation_run_id: runId }
  const made = { model, inputs: { ...task }, output: { answer, asked }, genai_span_ref: span && [span], ...times }
  const { prediction_id } = await tracing.predictions.create({ ...run, ...made }, { signal })
  await tracing.scores.create({ ...run, prediction_id, scorer, value: { reward, correct } }, { signal })
  await tracing.predictions.finish({ ...place, prediction_id }, { signal })
  return { ...attempted, predictionId: prediction_id }
}
