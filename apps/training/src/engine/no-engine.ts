import { type Engine, EngineError } from './engine.ts'

/** The engine of a server that has no base models: nothing can be registered, sampled or trained. */
export function noEngine(): Engine {
  const refuse = () => {
    throw new EngineError('unknown-model', 'this server has no base models')
  }
  return {
    baseModels: async () => [],
    openTraining: async () => refuse(),
    generate: refuse,
    score: async () => refuse(),
    choosesModules: false,
    library: null,
    estimateTraining: async () => null,
    unload: async () => undefined,
    health: async () => ({ ok: true, detail: { base_models: 0 } }),
    close: async () => undefined,
  }
}
