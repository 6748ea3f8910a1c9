import { training } from '@heddle/core-api'
import { z } from 'zod'
import type { Answer } from '../../answer/answer.ts'
import { Confirm, type Confirmation } from '../confirmation.ts'
import { defineTool } from '../tool.ts'
import type { ToolContext } from '../tool-context.ts'

const { params, output } = training.models.delete

const Input = z.object({ ...params.shape, confirm: Confirm })
const Output = z.object({
  deleted: z.boolean(),
  deleted_checkpoints: output.shape.deleted_checkpoints.optional(),
  reason: z.string().optional(),
})

/** Deletes a model with all of its checkpoints. */
export const modelDelete = defineTool({
  name: 'model_delete',
  title: 'Delete a model',
  description:
    'Deletes a trained model with its checkpoints and cancels its jobs, for good. A person is asked first. Example: {"model_id": "<id>"}',
  toolset: 'training',
  operation: training.models.delete,
  idempotent: false,
  input: Input,
  output: Output,
  run: deleteModel,
})

async function deleteModel({ model_id, confirm }: z.output<typeof Input>, context: ToolContext): Promise<Answer | Confirmation> {
  const { signal } = context
  const model = await context.training.models.read({ model_id }, { signal })
  const [latest, running] = await Promise.all([
    context.training.checkpoints.list({ model_id, order: 'desc', limit: 1 }, { signal }),
    context.training.trainingJobs.list({ model_id, status: 'running', limit: 100 }, { signal }),
  ])
  const step = latest.data[0]?.step ?? 0
  const version = `${model.id} ${step}`
  if (context.confirmed !== version && confirm !== model.name) {
    const message = `This deletes model ${model.name} (${model.entity}/${model.project}) for good, with its checkpoints up to step ${step}${running.data.length > 0 ? `, and cancels ${running.data.length} running jobs` : ''}.`
    return { confirm: { message, name: model.name, version } }
  }
  const { deleted_checkpoints } = await context.training.models.delete({ model_id }, { signal })
  return {
    headline: `Model ${model.name} was deleted with ${deleted_checkpoints} checkpoints.`,
    data: { deleted: true, deleted_checkpoints },
  }
}
