import { badRequest, type SftConfig } from '@heddle/core-api/internal'
import type { SftEstimate } from '@heddle/core-api/types'
import type { Context } from '@heddle/identity'
import { linearNames } from '../../checkpoint-files/model-tensors.ts'
import type { TrainingMemory } from '../../engine/engine.ts'
import { estimateSft } from '../../training/sft/estimate-sft.ts'
import { adapterRequestOf, checkSftConfig } from '../../training/sft/sft-config.ts'
import type { FindBaseModel } from '../models/find-base-model.ts'
import type { OpenModel } from '../models/open-model.ts'
import type { CheckMemory } from './check-memory.ts'
import type { FindBase } from '../models/find-base.ts'
import type { FindAdapter } from './find-adapter.ts'

export interface SftJobToEstimate {
  /** Null: a new model from `base_model`. */
  model_id: string | null
  base_model: string | null
  examples: number
  config: SftConfig | null
  /** The longest line of the training data; null assumes sequences that fill the context. */
  longest_example: string | null
}

/** What a job would do. @throws ApiError as its creation would */
export type EstimateSftJob = (request: SftJobToEstimate, context: Context) => Promise<SftEstimate>

export interface EstimateSftJobDeps {
  openModel: OpenModel
  findBaseModel: FindBaseModel
  findBase: FindBase
  findAdapter: FindAdapter
  checkMemory: CheckMemory
}

export function createEstimateSftJob({ openModel, findBaseModel, findBase, findAdapter, checkMemory }: EstimateSftJobDeps): EstimateSftJob {
  async function baseOf(id: string | null, context: Context, modelId: string | null): Promise<string> {
    if (modelId !== null) return (await openModel(context, modelId)).model.base_model
    if (id === null) throw badRequest('model_id and base_model are null; send the id of the model, or the base model of a new one')
    return (await findBaseModel(id)).id
  }

  return async ({ model_id, base_model, examples, config: given, longest_example }, context) => {
    const base = await findBase({ base_model: await baseOf(base_model, context, model_id) })
    const config = given ?? {}
    checkSftConfig(config)
    const adapter = await findAdapter(context, { base, modelId: model_id, ...adapterRequestOf(config) })
    const longest = longest_example === null ? null : await checkMemory.tokensOf(context, { base, config }, longest_example)
    const memory = await checkMemory.ofSft(context, { base, adapter, config, data: longest })
    const { learningRate, heldOut, steps } = estimateSft(config, { examples, learningRates: base.learningRates })
    return {
      base_model: base.id,
      learning_rate: typeof learningRate === 'number' ? learningRate : [...learningRate],
      held_out: heldOut,
      steps,
      longest_tokens: longest,
      context_tokens: base.contextLength,
      adapter: adapter && { rank: adapter.rank, alpha: adapter.alpha, target_modules: [...(adapter.modules ?? linearNames)] },
      memory: memory && toShownMemory(memory),
    }
  }
}

const toShownMemory = ({ weights, training, activations, needed, limit, process }: TrainingMemory) => ({
  weights_bytes: weights,
  training_bytes: training,
  activations_bytes: activations,
  needed_bytes: needed,
  limit_bytes: limit,
  process_bytes: process,
})
