import { tracing } from '@heddle/core-api'
import { z } from 'zod'
import type { Answer } from '../../answer/answer.ts'
import { inProject } from '../schema/common-arguments.ts'
import { defineTool } from '../tool.ts'
import type { ToolContext } from '../tool-context.ts'

const { params, body, output } = tracing.annotationQueues.addCalls

const Input = z.object({
  ...inProject,
  ...params.shape,
  ...body.pick({ call_ids: true }).shape,
  display_fields: body.shape.display_fields.optional().describe('Paths to show, such as `inputs.prompt`'),
})

/** Adds calls to a review queue. */
export const annotationQueueAdd = defineTool({
  name: 'annotation_queue_add',
  title: 'Add calls to an annotation queue',
  description: 'Puts calls into a queue that people review. Those in it stay. Example: {"queue_id": "<id>", "call_ids": ["<id>"]}',
  toolset: 'annotate',
  operation: tracing.annotationQueues.addCalls,
  idempotent: true,
  input: Input,
  output,
  run: add,
})

async function add(
  { queue_id, call_ids, display_fields = ['inputs', 'output'] }: z.output<typeof Input>,
  context: ToolContext,
): Promise<Answer> {
  const request = { project_id: context.project().id, queue_id, call_ids, display_fields }
  const { added_count, duplicates } = await context.tracing.annotationQueues.addCalls(request, { signal: context.signal })
  return { headline: `${added_count} calls were added, ${duplicates} were there already.`, data: { added_count, duplicates } }
}
