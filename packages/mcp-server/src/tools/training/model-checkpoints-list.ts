import { training } from '@heddle/core-api'
import { z } from 'zod'
import type { Answer } from '../../answer/answer.ts'
import { inPages } from '../schema/common-arguments.ts'
import { defineTool } from '../tool.ts'
import type { ToolContext } from '../tool-context.ts'

const { params, query, output } = training.checkpoints.list

const Input = z.object({ ...params.shape, order: query.shape.order.describe(''), ...inPages(20, 100) })
const Output = z.object({ checkpoints: output.shape.data })

/** Saved weights of a model. */
export const modelCheckpointsList = defineTool({
  name: 'model_checkpoints_list',
  title: 'List checkpoints of a model',
  description: 'Checkpoints of a model with metrics such as train/reward. Example: {"model_id": "<id>", "order": "desc", "limit": 5}',
  toolset: 'training',
  operation: training.checkpoints.list,
  input: Input,
  output: Output,
  run: listCheckpoints,
})

async function listCheckpoints(
  { model_id, order, limit }: z.output<typeof Input>,
  { training, page, signal, recorded }: ToolContext,
): Promise<Answer> {
  const { data, has_more } = await training.checkpoints.list({ model_id, order, limit, after: page.anchor ?? null }, { signal })
  return {
    headline: `${data.length} checkpoints${has_more ? ', and more' : ''}.`,
    data: { checkpoints: recorded(data) },
    page: { key: 'checkpoints', offset: page.offset, hasMore: has_more, after: (checkpoint) => String(Reflect.get(checkpoint, 'id')) },
  }
}
