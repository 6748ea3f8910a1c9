import type { RecordedGroup } from '@heddle/agent-instrumentation'
import { withThread } from '@heddle/otel-exporter'
import { followJob } from '../training/follow-job.ts'
import { attemptSeed, jobSeed } from './attempt-seed.ts'
import type { DemoContext } from './demo-context.ts'
import { nameAttempt } from './name-attempt.ts'
import { attemptTask } from './weather-agent.ts'
import type { WeatherTask } from './weather-tasks.ts'

/** What a round came to. */
export interface PractisedRound {
  round: number
  /** Mean of all attempts, with the weights before the round. */
  reward: number
  attempts: number
  jobId: string
  /** Step that the job made. */
  step: number
}

/** Attempts at each task of a round, whose rewards are compared. */
export const attemptsOfTask = 8
/** Concurrent attempts at a task; all tasks of a round run concurrently. */
const attemptsAtOnce = 4
/** Small steps: an attempt has several hundred tokens, so a round of few tasks is many gradient steps. */
const learningRate = 3e-4
const pollMs = 250

/** Attempts at some tasks, and a training job on them. @throws Error when the job fails */
export async function practiseRound(context: DemoContext, round: number): Promise<PractisedRound> {
  const tasks = context.tasks.ofRound(round, context.options.tasks)
  const groups = await Promise.all(tasks.map((task, index) => attemptGroup(context, task, { round, task: index })))
  context.signal.throwIfAborted()
  const report = context.agent.dryRun(groups)
  const failed = groups.flatMap(({ exceptions }) => exceptions)[0]
  if (failed) throw new Error(`an attempt failed: ${failed.message}`)
  await context.agent.log('train', groups)
  const job = await context.agent.train(groups, { config: { seed: jobSeed(context.options.seed, round), learning_rate: learningRate } })
  const step = await untilTrained(context, job.id)
  return { round, reward: report.reward?.mean ?? 0, attempts: report.trajectories, jobId: job.id, step }
}

/** The attempts at one question are turns of one thread. */
function attemptGroup(context: DemoContext, task: WeatherTask, place: { round: number; task: number }): Promise<RecordedGroup> {
  const { agent, agentClient: client, address: model, options, signal } = context
  const group = agent.group({
    attempts: attemptsOfTask,
    concurrency: attemptsAtOnce,
    metadata: { scenario_id: task.question, city: task.city },
  })
  return withThread(`${context.modelName}, round ${place.round}: ${task.question}`, () =>
    group.run(async (trajectory) => {
      nameAttempt()
      const seed = attemptSeed(options.seed, { ...place, attempt: trajectory.attemptIndex })
      const { reward, asked, correct } = await attemptTask(task, { client, model, seed, signal })
      trajectory.metric('asked_the_tool', asked)
      trajectory.metric('correct', correct)
      trajectory.reward(reward, { source: 'weather table' })
    }),
  )
}

/** The step that the job made. A job that is left early is cancelled. */
async function untilTrained({ training, signal }: DemoContext, job_id: string): Promise<number> {
  try {
    for await (const _ of followJob(training, job_id, { signal, pollMs }));
  } catch (error) {
    if (signal.aborted) await training.trainingJobs.cancel({ job_id }).catch(() => undefined)
    throw error
  }
  const { status, step, error_message } = await training.trainingJobs.read({ job_id }, { signal })
  if (status !== 'succeeded' || step === null)
    throw new Error(`training job ${job_id} ended as ${status}: ${error_message ?? 'no reason given'}`)
  return step
}
