import { tracing } from '@heddle/core-api'
import { z } from 'zod'
import type { Answer } from '../../answer/answer.ts'
import { inProject } from '../schema/common-arguments.ts'
import { defineTool } from '../tool.ts'
import type { ToolContext } from '../tool-context.ts'

const { body, output } = tracing.feedback.create

const Input = z.object({
  ...inProject,
  call_id: tracing.calls.read.body.shape.id,
  payload: body.shape.payload.describe('Of that type, up to 1 MiB'),
  feedback_type: body.shape.feedback_type.describe('`wandb.note.1`, `wandb.reaction.1`, `wandb.annotation.<name>` or your own'),
  idempotency_key: z.string().min(1).max(128).optional().describe('Repeats with the same key are stored once'),
})

/** Feedback on a call. */
export const feedbackCreate = defineTool({
  name: 'feedback_create',
  title: 'Give feedback on a call',
  description:
    'Adds a note, reaction or annotation to a call. Example: {"call_id": "<id>", "feedback_type": "wandb.note.1", "payload": {"note": "wrong tone"}}',
  toolset: 'annotate',
  operation: tracing.feedback.create,
  input: Input,
  output: output.pick({ id: true, created_at: true }),
  run: create,
})

async function create({ call_id, feedback_type, payload, idempotency_key }: z.output<typeof Input>, context: ToolContext): Promise<Answer> {
  const { id: project_id } = context.project()
  const weave_ref = `weave:///${project_id}/call/${encodeURIComponent(call_id)}`
  const request = { project_id, weave_ref, feedback_type, payload, ...(idempotency_key !== undefined && { id: idempotency_key }) }
  const { id, created_at } = await context.tracing.feedback.create(request, { signal: context.signal })
  return { headline: `Feedback ${id} was added to call ${call_id}.`, data: { id, created_at } }
}
