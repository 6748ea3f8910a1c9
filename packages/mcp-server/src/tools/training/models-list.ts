import { training } from '@heddle/core-api'
import { z } from 'zod'
import type { Answer } from '../../answer/answer.ts'
import { inPages, inProject } from '../schema/common-arguments.ts'
import { defineTool } from '../tool.ts'
import type { ToolContext } from '../tool-context.ts'

const { query, output } = training.models.list

const Input = z.object({ ...inProject, ...query.pick({ name: true }).shape, ...inPages(20, 100) })
const Output = z.object({ models: output.shape.data })

/** Models that are trained. */
export const modelsList = defineTool({
  name: 'models_list',
  title: 'List trained models',
  description: 'Trained models with their base model. Example: {"name": "support-agent"}',
  toolset: 'training',
  operation: training.models.list,
  input: Input,
  output: Output,
  run: listModels,
})

async function listModels(
  { name, limit }: z.output<typeof Input>,
  { training, project, page, signal, recorded }: ToolContext,
): Promise<Answer> {
  const { entity, project: ofProject } = project()
  const { data, has_more } = await training.models.list({ entity, project: ofProject, name, limit, after: page.anchor ?? null }, { signal })
  return {
    headline: `${data.length} models${has_more ? ', and more' : ''}.`,
    data: { models: recorded(data) },
    page: { key: 'models', offset: page.offset, hasMore: has_more, after: (model) => String(Reflect.get(model, 'id')) },
  }
}
