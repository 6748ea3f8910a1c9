import { training } from '@heddle/core-api'
import type { Checkpoint } from '@heddle/core-api/types'
import { z } from 'zod'
import type { Answer } from '../../answer/answer.ts'
import type { Confirmation } from '../confirmation.ts'
import { Confirm } from '../confirmation.ts'
import { defineTool } from '../tool.ts'
import type { ToolContext } from '../tool-context.ts'

const { params, output } = training.checkpoints.delete

const Input = z.object({
  ...params.shape,
  keep: z.array(z.int().min(0)).max(10_000).describe('Steps that stay'),
  confirm: Confirm,
})
const Output = z.object({
  deleted: z.boolean(),
  deleted_count: output.shape.deleted_count,
  deleted_steps: z.array(z.number()),
  kept_steps: z.array(z.number()),
  reason: z.string().optional(),
})

/** Deletes all checkpoints of a model except those marked as kept. */
export const modelCheckpointsDelete = defineTool({
  name: 'model_checkpoints_delete',
  title: 'Delete checkpoints of a model',
  description:
    'Deletes checkpoints of a model but the latest, kept ones and those in keep. A person is asked. Example: {"model_id": "<id>", "keep": [12]}',
  toolset: 'training',
  operation: training.checkpoints.delete,
  idempotent: true,
  input: Input,
  output: Output,
  run: deleteCheckpoints,
})

async function deleteCheckpoints(
  { model_id, keep, confirm }: z.output<typeof Input>,
  context: ToolContext,
): Promise<Answer | Confirmation> {
  const model = await context.training.models.read({ model_id }, { signal: context.signal })
  const all = await readCheckpoints(model_id, context)
  const latest = all.at(-1)?.step
  const steps = all.map(({ step }) => step)
  const marked = all.flatMap(({ step, kept_at }) => (kept_at === null ? [] : [step]))
  const going = steps.filter((step) => step !== latest && !keep.includes(step) && !marked.includes(step))
  const kept_steps = steps.filter((step) => !going.includes(step))
  if (going.length === 0)
    return {
      headline: 'No checkpoint would go.',
      data: { deleted: false, deleted_count: 0, deleted_steps: [], kept_steps, reason: 'nothing to delete' },
    }
  const version = JSON.stringify(steps)
  if (context.confirmed !== version && confirm !== model.name) {
    const message = `This deletes ${going.length} of ${steps.length} checkpoints of model ${model.name} for good: steps ${listed(going)}; ${listed(kept_steps)} stay.`
    return { confirm: { message, name: model.name, version } }
  }
  const { deleted_count } = await context.training.checkpoints.delete({ model_id, steps: going }, { signal: context.signal })
  return {
    headline: `${deleted_count} checkpoints of ${model.name} were deleted.`,
    data: { deleted: true, deleted_count, deleted_steps: going, kept_steps },
  }
}

const pageSize = 100
const maxPages = 100

async function readCheckpoints(model_id: string, { training, signal }: ToolContext): Promise<Checkpoint[]> {
  const all: Checkpoint[] = []
  let after: string | null = null
  for (let pages = 0; pages < maxPages; pages++) {
    const page: { data: Checkpoint[]; has_more: boolean; last_id: string } = await training.checkpoints.list(
      { model_id, after, limit: pageSize },
      { signal },
    )
    all.push(...page.data)
    if (!page.has_more || page.data.length === 0) break
    after = page.last_id
  }
  return all
}

function listed(steps: readonly number[]): string {
  return steps.length > 20 ? `${steps.slice(0, 10).join(', ')} … ${steps.slice(-5).join(', ')}` : steps.join(', ')
}
