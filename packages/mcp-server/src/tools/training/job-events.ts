import type { TrainingEvent } from '@heddle/core-api/types'
import type { ToolContext } from '../tool-context.ts'

const pageSize = 100
const maxEvents = 5_000

/** Events of a job after one of them, oldest first, at most 5,000. */
export async function readEvents(
  job_id: string,
  { training, signal }: Pick<ToolContext, 'training' | 'signal'>,
  after: string | null = null,
): Promise<TrainingEvent[]> {
  const events: TrainingEvent[] = []
  for (let last = after; ;) {
    const page = await training.trainingEvents.list({ job_id, after: last, limit: pageSize }, { signal })
    events.push(...page.data)
    if (!page.has_more || page.data.length === 0 || events.length >= maxEvents) return events
    last = page.last_id
  }
}

/** The metrics of an event that are numbers; those of a gradient step. */
export function metricsOf({ data }: TrainingEvent): Record<string, number> {
  return Object.fromEntries(
    Object.entries(data).filter((entry): entry is [string, number] => typeof entry[1] === 'number' && Number.isFinite(entry[1])),
  )
}

export function gradientSteps(events: readonly TrainingEvent[]): TrainingEvent[] {
  return events.filter(({ type }) => type === 'gradient_step')
}

/** Gradient steps that the job will make; undefined before it has started. */
export function plannedSteps(events: readonly TrainingEvent[]): number | undefined {
  const planned = events.find(({ type }) => type === 'training_started')?.data['num_sequences']
  return typeof planned === 'number' ? planned : undefined
}

/** Progress of a job in a few words, such as "step 40/200, policy_loss 0.61". */
export function progressText(events: readonly TrainingEvent[]): string {
  const steps = gradientSteps(events)
  const last = steps.at(-1)
  const metrics = last
    ? Object.entries(metricsOf(last))
        .slice(0, 2)
        .map(([name, value]) => `${name} ${Number(value.toPrecision(3))}`)
    : []
  return [`step ${steps.length}/${plannedSteps(events) ?? '?'}`, ...metrics].join(', ')
}
