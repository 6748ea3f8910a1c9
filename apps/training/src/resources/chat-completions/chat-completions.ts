import { randomBytes } from 'node:crypto'
import type { ModelVersions } from '../../model-versions/model-versions.ts'
import type { Platform } from '../../platform.ts'
import { createPromptPreparer, type PromptPreparerOptions } from './prompt-threads/prompt-preparer.ts'
import { createTokenizers } from '../../tokenizer/tokenizers.ts'
import type { CheckpointsStore } from '../checkpoints/checkpoints-store.ts'
import type { ModelsStore } from '../models/models-store.ts'
import type { OpenModel } from '../models/open-model.ts'
import type { BeginRecording } from '../recorded-trajectories/record-calls.ts'
import { createBeginCompletion, createCountPrompt } from './begin-completion.ts'
import { chatCompletionsHandlers } from './chat-completions-handlers.ts'
import { type CompletionTimes, defaultCompletionTimes } from './generation/completion-deadlines.ts'
import { createGenerationQueue, defaultGenerationLimits, type GenerationLimits } from './generation/generation-queue.ts'
import { createResolveModel } from '../served-models/resolve-model.ts'

export interface ChatCompletionsOptions {
  models: ModelsStore
  openModel: OpenModel
  checkpoints: CheckpointsStore
  versions: ModelVersions
  beginRecording: BeginRecording
  /** Default: those of `defaultGenerationLimits`. */
  limits?: GenerationLimits | undefined
  /** Default: those of `defaultCompletionTimes`. */
  times?: Partial<CompletionTimes> | undefined
  /** Which prompts are prepared in threads. Default: see `docs/limits.md`. */
  prompts?: PromptPreparerOptions | undefined
}

/** Sampling of base models and trained models. */
export function createChatCompletions({ engine, clock, newId, log }: Platform, on: ChatCompletionsOptions) {
  const tokenizers = createTokenizers()
  const prompts = createPromptPreparer(tokenizers, on.prompts)
  const queue = createGenerationQueue(on.limits ?? defaultGenerationLimits)
  const times = { ...defaultCompletionTimes, ...on.times }
  const resolveModel = createResolveModel({ ...on, engine })
  const report = (err: unknown) => log?.error({ err, operation: 'training.chatCompletions.create' }, 'a streamed completion failed')
  const begin = createBeginCompletion({
    resolveModel,
    tokenizers,
    prompts,
    beginRecording: on.beginRecording,
    versions: on.versions,
    engine,
    queue,
    times,
    clock,
    newId,
    newSeed: () => randomBytes(8).readBigInt64LE(),
    report,
  })
  return {
    begin,
    countPrompt: createCountPrompt({ resolveModel, prompts }),
    resolveModel,
    report,
    /** What sampling for other clients shares with chats: the tokenizers, the line and the limits of time. */
    sampling: { tokenizers, queue, times },
    close: () => prompts.close(),
    handlers: chatCompletionsHandlers({ begin, report }),
  }
}
