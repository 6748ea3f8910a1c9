export { plainSampling } from './sampling-settings.ts'
export type { LlamaConfig } from '../checkpoint-files/llama-config.ts'
export { aConfig, writeRandomModel } from './write-random-model.ts'
