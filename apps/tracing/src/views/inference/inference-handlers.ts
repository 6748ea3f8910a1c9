import type { Handlers, tracing } from '@heddle/core-api'
import type { TracingContext } from '../../context.ts'
import type { Catalogue } from './catalogue.ts'
import { isNamed, toHardwareOption } from './hardware-option.ts'

/** Operations that show which models are served. */
export function inferenceHandlers({ catalogue }: { catalogue: Catalogue }): Handlers<(typeof tracing)['inference'], TracingContext> {
  const list = async () => ({ data: [...(await catalogue.models())] })
  return {
    analysisModels: list,
    routerModels: list,
    async hardware({ model: name }) {
      const models = await catalogue.models()
      return { hardware: models.filter((model) => isNamed(model, name)).map(toHardwareOption) }
    },
  }
}
