import type { ChatCompletionRequest } from '@heddle/core-api/types'
import type { BaseModel, SamplingSettings } from '../../../engine/engine.ts'
import type { ChatTokenizer } from '../../../tokenizer/chat-tokenizer.ts'
import type { TemplateCalls } from '../../../tokenizer/tool-call-format.ts'
import type { PreparedPrompt } from './prepared-prompt.ts'
import { readSampling } from './read-sampling.ts'
import { readSeeds } from './read-seeds.ts'
import { readStop } from './read-stop.ts'

/** A checked request. */
export interface CompletionPlan {
  /** As the caller named it. */
  model: string
  prompt: Int32Array
  settings: SamplingSettings
  /** One for each choice. */
  seeds: bigint[]
  stop: { texts: string[]; tokens: ReadonlySet<number>; isKept: boolean }
  /** How calls are found in the text; null if they are not parsed. */
  calls: TemplateCalls | null
  /** Name of the tag with which the prompt opened the reasoning; null if the answer itself opens it, if at all. */
  reasoningTag: string | null
  /** True where no chat template wrote the prompt: the completion is text alone. */
  isPlain: boolean
  report: {
    /** Whether the reasoning is part of the answer. */
    reasoning: boolean
    logprobs: boolean
    /** Tokens of log-probabilities by their ids and not their texts. */
    asTokenIds: boolean
    tokenIds: boolean
  }
}

export interface PlanContext {
  base: BaseModel
  /** Training needs log-probabilities and ids of a trained model's samples, so they are on for it by default. */
  isTrained: boolean
  tokenizer: ChatTokenizer
  newSeed: () => bigint
}

/** @throws ApiError 400 that names the field whose value cannot be served */
export function planCompletion(
  request: ChatCompletionRequest,
  { tokens: prompt, constraint, mayCall, reasoningTag, isPlain }: PreparedPrompt,
  { base, isTrained, tokenizer, newSeed }: PlanContext,
): CompletionPlan {
  const settings = readSampling(request, { tokenizer, constraint, freeTokens: base.contextLength - prompt.length })
  const logprobs = isTrained || request.logprobs === true
  return {
    model: request.model!,
    prompt,
    settings: logprobs ? settings : { ...settings, topLogProbabilities: 0 },
    seeds: readSeeds(request.seed, request.n, newSeed),
    stop: { texts: readStop(request.stop), tokens: new Set(request.stop_token_ids ?? []), isKept: request.include_stop_str_in_output },
    calls: mayCall ? tokenizer.toolCalls : null,
    reasoningTag,
    isPlain,
    report: {
      reasoning: request.include_reasoning,
      logprobs,
      asTokenIds: request.return_tokens_as_token_ids ?? isTrained,
      tokenIds: request.return_token_ids === true,
    },
  }
}
