import { formatConversationRef, tracing } from '@heddle/core-api'
import { z } from 'zod'
import type { Answer } from '../../answer/answer.ts'
import { ToolError } from '../../answer/tool-error.ts'
import { inProject } from '../schema/common-arguments.ts'
import { defineTool } from '../tool.ts'
import type { ProjectName, ToolContext } from '../tool-context.ts'

const { body, output } = tracing.feedback.create

const Input = z.object({
  ...inProject,
  call_id: z.string().optional(),
  thread_id: z.string().min(1).optional(),
  payload: body.shape.payload.describe('Of that type, up to 1 MiB'),
  feedback_type: body.shape.feedback_type.describe('`wandb.note.1`, `wandb.reaction.1`, `wandb.annotation.<name>` or your own'),
  idempotency_key: z.string().min(1).max(128).optional().describe('Repeats are stored once'),
})

/** Feedback on a call or a conversation. */
export const feedbackCreate = defineTool({
  name: 'feedback_create',
  title: 'Give feedback',
  description:
    'Adds a note, reaction or annotation to a call or thread. Example: {"call_id": "<id>", "feedback_type": "wandb.note.1", "payload": {"note": "wrong tone"}}',
  toolset: 'annotate',
  operation: tracing.feedback.create,
  input: Input,
  output: output.pick({ id: true, created_at: true }),
  run: create,
})

type Arguments = z.output<typeof Input>

async function create(given: Arguments, context: ToolContext): Promise<Answer> {
  const { feedback_type, payload, idempotency_key } = given
  const place = context.project()
  const project_id = place.id
  const { weave_ref, name } = subjectOf(given, place)
  const request = { project_id, weave_ref, feedback_type, payload, ...(idempotency_key !== undefined && { id: idempotency_key }) }
  const { id, created_at } = await context.tracing.feedback.create(request, { signal: context.signal })
  return { headline: `Feedback ${id} was added to ${name}.`, data: { id, created_at } }
}

/** @throws ToolError unless one subject is given */
function subjectOf(
  { call_id, thread_id }: Arguments,
  { id: project_id, entity, project }: ProjectName,
): { weave_ref: string; name: string } {
  if ((call_id === undefined) === (thread_id === undefined))
    throw new ToolError(
      'bad_request',
      `${call_id === undefined ? 'neither call_id nor thread_id was' : 'both call_id and thread_id were'} given`,
      'Pass one of them.',
    )
  if (call_id !== undefined) return { weave_ref: `weave:///${project_id}/call/${encodeURIComponent(call_id)}`, name: `call ${call_id}` }
  const id = thread_id ?? ''
  return { weave_ref: formatConversationRef({ entity, project, id }), name: `conversation ${id}` }
}
