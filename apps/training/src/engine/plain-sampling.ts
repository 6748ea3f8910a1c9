import type { SamplingSettings } from './engine.ts'

/** Twenty tokens at temperature 1, without cuts, penalties or stop tokens. */
export const plainSampling: SamplingSettings = {
  maxTokens: 20,
  temperature: 1,
  topP: 1,
  topK: 0,
  minP: 0,
  frequencyPenalty: 0,
  presencePenalty: 0,
  repetitionPenalty: 1,
  logitBias: new Map(),
  stopTokens: [],
  minTokens: 0,
  constraint: null,
  topLogProbabilities: 0,
}
