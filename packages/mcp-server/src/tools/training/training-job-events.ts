import { training } from '@heddle/core-api'
import { z } from 'zod'
import type { Answer } from '../../answer/answer.ts'
import { inPages } from '../schema/common-arguments.ts'
import { defineTool } from '../tool.ts'
import type { ToolContext } from '../tool-context.ts'
import { readEvents } from './job-events.ts'

const Event = training.trainingEvents.list.output.shape.data.element

const Input = z.object({
  ...training.trainingEvents.list.params.shape,
  since_event: training.trainingEvents.list.query.shape.after.describe('Last event that was seen'),
  kinds: z.array(Event.shape.type).max(50).optional(),
  ...inPages(50, 200),
})

const Output = z.object({ events: z.array(Event) })

/** What happened to a job. */
export const trainingJobEvents = defineTool({
  name: 'training_job_events',
  title: 'List events of a training job',
  description: 'Events of a job, oldest first. Series: training_metrics_get. Example: {"job_id": "<id>"}',
  toolset: 'training',
  operation: training.trainingEvents.list,
  input: Input,
  output: Output,
  run: listEvents,
})

async function listEvents({ job_id, since_event, kinds, limit }: z.output<typeof Input>, context: ToolContext): Promise<Answer> {
  const all = await readEvents(job_id, context, since_event)
  const events = kinds ? all.filter(({ type }) => kinds.includes(type)) : all
  const { offset } = context.page
  const page = events.slice(offset, offset + limit)
  return {
    headline: `${events.length} events${all.length > 0 ? `; the newest is ${all.at(-1)?.type} at ${all.at(-1)?.created_at}` : ''}.`,
    data: { events: context.recorded(page) },
    page: { key: 'events', offset, total: events.length, hasMore: offset + page.length < events.length },
  }
}
