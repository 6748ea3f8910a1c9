export { plainSampling } from '../engine/plain-sampling.ts'
export type { LlamaConfig } from '../checkpoint-files/llama-config.ts'
export { aConfig, writeRandomModel } from './write-random-model.ts'
export { unpackBytes } from './unpack.ts'
