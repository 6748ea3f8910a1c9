import { BaseModelError, estimateMemory, listBaseModels, shippedModelsFolder } from '@heddle/training'
import type { Configuration } from '../settings/configuration.ts'
import { formatBytes } from '../terminal/measures.ts'
import { failure, type Finding, ok, warning } from './finding.ts'

/** Looks at each folder of a model to train from: one finding with those that can be used and their memory, and one for each that cannot. */
export function checkBaseModels({ baseModelsDir }: Pick<Configuration, 'baseModelsDir'>, shipped = shippedModelsFolder): Finding[] {
  try {
    const { models, refused } = listBaseModels({ shipped, own: baseModelsDir ?? null })
    const listed = models.map((model) => {
      const { weights, adapter, training } = estimateMemory(model)
      return `${model.id} (${formatBytes(weights)} to serve, ${formatBytes(weights + adapter + training)} to train)`
    })
    return [
      listed.length > 0 ? ok('Base models', listed.join(', ')) : failure('Base models', 'none', 'reinstall: one comes with the package'),
      ...refused.map(({ folder, reason }) => warning('Base models', reason, `change or remove ${folder}: it cannot be trained`)),
    ]
  } catch (error) {
    if (!(error instanceof BaseModelError)) throw error
    return [failure('Base models', error.message, 'create the folder, or unset HEDDLE_BASE_MODELS_DIR')]
  }
}
