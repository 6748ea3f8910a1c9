import type { Platform } from '../../platform.ts'
import { baseModelsHandlers } from './base-models-handlers.ts'

/** Models to begin training from. */
export function createBaseModels({ engine, refusedBaseModels }: Platform) {
  return { handlers: baseModelsHandlers(engine, refusedBaseModels) }
}
