import { setTimeout as delay } from 'node:timers/promises'
import { training } from '@heddle/core-api'
import type { TrainingEvent, TrainingJob } from '@heddle/core-api/types'
import { z } from 'zod'
import type { Answer } from '../../answer/answer.ts'
import { ToolError } from '../../answer/tool-error.ts'
import { defineTool } from '../tool.ts'
import type { ToolContext } from '../tool-context.ts'
import { gradientSteps, plannedSteps, progressText, readEvents } from './job-events.ts'

const Input = z.object({
  ...training.trainingJobs.read.params.shape,
  until: z.string().default('finished').describe('`finished`, `next_event` or `step:N`'),
  since_event: training.trainingEvents.list.query.shape.after.describe('`last_event` of the wait before'),
  max_seconds: z.int().min(1).max(300).default(50),
})

const Job = training.trainingJobs.read.output.pick({ id: true, status: true, step: true, message: true, error_message: true })

const Output = z.object({
  job: Job,
  ended_because: z.enum(['finished', 'next_event', 'step', 'max_seconds']),
  steps: z.number(),
  of: z.number().nullable(),
  last_event: z.string().nullable(),
})

/** Waits for a job, without holding it. */
export const trainingJobWait = defineTool({
  name: 'training_job_wait',
  title: 'Wait for a training job',
  description:
    'Waits until a job has finished, has a new event or has made N steps. The job goes on; call again with since_event. Example: {"job_id": "<id>", "until": "step:40"}',
  toolset: 'training',
  operation: training.trainingJobs.read,
  input: Input,
  output: Output,
  run: wait,
})

type WaitEnd = z.output<typeof Output>['ended_because']

const pollMs = 1_000
const reportEveryMs = 15_000

async function wait({ job_id, until, since_event, max_seconds }: z.output<typeof Input>, context: ToolContext): Promise<Answer> {
  const wantedSteps = parseUntil(until)
  const deadline = context.now() + max_seconds * 1_000
  const seen = { last: since_event, reportedAt: 0, steps: -1 }
  const events: TrainingEvent[] = await readEvents(job_id, context)
  for (;;) {
    const job = await context.training.trainingJobs.read({ job_id }, { signal: context.signal })
    // Read after the job, so that the events of its end are among them.
    events.push(...(await readEvents(job_id, context, events.at(-1)?.id ?? null)))
    report(events, seen, context)
    seen.last ??= events.at(-1)?.id ?? null
    const reason = reasonToEnd({ job, events, until, wantedSteps, seenEvent: seen.last, isOver: context.now() >= deadline })
    if (reason) return toAnswer(job, events, reason, context)
    await delay(Math.min(pollMs, Math.max(deadline - context.now(), 0)), undefined, { signal: context.signal })
  }
}

/** The wanted number of steps; undefined where another end is wanted. */
function parseUntil(until: string): number | undefined {
  if (until === 'finished' || until === 'next_event') return undefined
  const steps = /^step:(\d{1,9})$/.exec(until)?.[1]
  if (steps === undefined)
    throw new ToolError(
      'invalid',
      `until: ${JSON.stringify(until.slice(0, 40))} is not known`,
      'Pass "finished", "next_event" or "step:N", for example "step:40".',
    )
  return Number(steps)
}

function report(events: readonly TrainingEvent[], seen: { reportedAt: number; steps: number }, { report, now }: ToolContext): void {
  const steps = gradientSteps(events).length
  if (steps <= seen.steps && now() - seen.reportedAt < reportEveryMs) return
  // Progress must grow, also where the job does not.
  const progress = steps > seen.steps ? steps : seen.steps + 0.001
  seen.steps = progress
  seen.reportedAt = now()
  const total = plannedSteps(events)
  report({ progress, ...(total !== undefined && { total }), message: progressText(events) })
}

interface WaitState {
  job: TrainingJob
  events: readonly TrainingEvent[]
  until: string
  wantedSteps: number | undefined
  seenEvent: string | null
  isOver: boolean
}

function reasonToEnd({ job, events, until, wantedSteps, seenEvent, isOver }: WaitState): WaitEnd | undefined {
  if (job.status !== 'queued' && job.status !== 'running') return 'finished'
  if (wantedSteps !== undefined && gradientSteps(events).length >= wantedSteps) return 'step'
  const last = events.at(-1)?.id ?? null
  if (until === 'next_event' && last !== seenEvent) return 'next_event'
  return isOver ? 'max_seconds' : undefined
}

function toAnswer(job: TrainingJob, events: readonly TrainingEvent[], ended_because: WaitEnd, context: ToolContext): Answer {
  return {
    headline: `The wait ended (${ended_because}): job ${job.id} is ${job.status}, ${progressText(events)}.`,
    data: {
      job: context.recorded(Job.parse(job)),
      ended_because,
      steps: gradientSteps(events).length,
      of: plannedSteps(events) ?? null,
      last_event: events.at(-1)?.id ?? null,
    },
  }
}
