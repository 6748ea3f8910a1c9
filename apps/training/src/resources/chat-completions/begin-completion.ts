import { createHash } from 'node:crypto'
import type { ChatCompletion, ChatCompletionChunk, ChatCompletionRequest } from '@heddle/core-api/types'
import type { Micros } from '@heddle/datastore'
import type { Context } from '@heddle/identity'
import type { Flow } from '@heddle/service-kit'
import type { BaseModel, Engine } from '../../engine/engine.ts'
import type { HeldVersion, ModelVersions, VersionOf } from '../../model-versions/model-versions.ts'
import type { Tokenizers } from '../../tokenizer/tokenizers.ts'
import type { BeginRecording, RecordingHeaders } from '../recorded-trajectories/record-calls.ts'
import type { ChoiceDelta } from './generation/choice-writer.ts'
import { type CompletionDeadlines, type CompletionTimes, createCompletionDeadlines } from './generation/completion-deadlines.ts'
import { type RequestedWeights, toCallerError } from '../../engine/engine-failure.ts'
import { generateChoices, type GenerateOptions } from './generation/generate-choices.ts'
import { type PromptEntry, scorePrompt } from './generation/score-prompt.ts'
import { recordChoices } from './generation/record-choices.ts'
import type { Arrival, GenerationQueue, GenerationTurn } from './generation/generation-queue.ts'
import type { ResolvedModel, ResolveModel } from '../served-models/resolve-model.ts'
import type { PromptPreparer } from './prompt-threads/prompt-preparer.ts'
import { type CompletionPlan, planCompletion } from './request/plan-completion.ts'
import type { PlainPrompt } from './request/prompt-request.ts'
import type { PreparedPrompt } from './request/prepared-prompt.ts'
import { refuseUnsupported } from './request/refuse-unsupported.ts'
import { toChunks } from './response/to-chunks.ts'
import { toCompletion } from './response/to-completion.ts'

export interface CompletionDeps {
  resolveModel: ResolveModel
  beginRecording: BeginRecording
  tokenizers: Tokenizers
  prompts: Pick<PromptPreparer, 'prepare'>
  versions: Pick<ModelVersions, 'hold'>
  engine: Pick<Engine, 'generate' | 'score'>
  queue: GenerationQueue
  times: CompletionTimes
  clock: () => Micros
  newId: () => string
  newSeed: () => bigint
  /** Reports an error after the response has begun, when its status cannot change. */
  report: (error: unknown) => void
}

/** A request with the headers about its recording. */
export type CompletionRequest = ChatCompletionRequest & RecordingHeaders

/** A completion that waits for its turn. It is read once, whole or in chunks. */
export interface BegunCompletion {
  /** Headers of the response: which step is sampled, and the trajectory in which it is recorded, which is certain once the completion is whole. */
  headers(): Readonly<Record<string, string>>
  /** What is sampled. */
  model: ResolvedModel
  /** Tokens of the prompt. */
  promptTokens: number
  /** The text of the prompt, special tokens by their names. */
  promptText(): string
  /** The tokens of the prompt with their log-probabilities, once a part of the completion is there; null where they are not computed. */
  promptEntries(): readonly PromptEntry[] | null
  /** @throws ApiError as sampling fails */
  whole(): Promise<ChatCompletion>
  /** @throws ApiError as sampling fails */
  chunks(includeUsage: boolean): AsyncIterable<ChatCompletionChunk>
}

export interface BeginOptions {
  /** Default: the one that the request names. */
  model?: ResolvedModel
  /** A prompt instead of the messages. */
  plain?: PlainPrompt
  /** Alternatives for each token of the prompt; null: its log-probabilities are not computed. Default null. */
  promptAlternatives?: number | null
  /** Whether completions get any token. Default true. */
  samples?: boolean
  /** Whether the call is recorded as its headers or its API key name it. Default: unless it has a plain prompt. */
  records?: boolean
}

/** Checks a request, and has it sampled in its turn. @throws ApiError that names the field */
export type BeginCompletion = (request: CompletionRequest, context: Context, options?: BeginOptions) => Promise<BegunCompletion>

/** Tokens of the prompt that a request renders to. @throws ApiError that names the field */
export type CountPrompt = (request: ChatCompletionRequest, context: Context) => Promise<number>

type PromptDeps = Pick<CompletionDeps, 'resolveModel' | 'prompts'>

export function createCountPrompt(deps: PromptDeps): CountPrompt {
  return async (request, context) => {
    const { base } = await deps.resolveModel(context, request.model)
    return (await preparePrompt(deps, request, base, context)).tokens.length
  }
}

function preparePrompt(
  { prompts }: PromptDeps,
  request: ChatCompletionRequest,
  base: BaseModel,
  { work }: Context,
): Promise<PreparedPrompt> {
  refuseUnsupported(request)
  return prompts.prepare(request, base, work)
}

export function createBeginCompletion(deps: CompletionDeps): BeginCompletion {
  const { resolveModel, beginRecording, prompts, tokenizers, versions, engine, queue, times, clock, newId, newSeed, report } = deps
  return async (
    request,
    context,
    { model: given, plain, promptAlternatives = null, samples = true, records = plain === undefined } = {},
  ) => {
    const model = given ?? (await resolveModel(context, request.model))
    const { base, checkpoint, project } = model
    const tokenizer = await tokenizers.of(base.folder)
    const prepared = plain ? await prompts.prepare({ plain }, base, context.work) : await preparePrompt(deps, request, base, context)
    const plan = planCompletion(request, prepared, { base, isTrained: checkpoint !== null, tokenizer, newSeed })
    const recording = records ? await beginRecording(context, request, model) : undefined
    const { signal, caller } = context.work
    const deadlines = createCompletionDeadlines(times, signal)
    const isBulk = recording !== undefined
    const turn = enterQueue(queue, { flow: { caller, project }, arrival: { completions: plan.seeds.length, isBulk }, deadlines })
    const requested = { name: request.model, step: checkpoint?.step ?? null }
    const held = await holdVersion(versions, { baseModel: base.id, checkpoint }, deadlines).catch((error: unknown) => {
      turn.leave()
      deadlines.end()
      throw toCallerError(error, requested)
    })
    const sampling = {
      engine,
      version: held.version,
      plan,
      tokenizer,
      deadlines,
      newCallId: () => callIdFrom(newId(), tokenizer.toolCalls?.idLength ?? null),
    }
    let promptEntries: PromptEntry[] | null = null
    const beforeSampling = async () => {
      if (promptAlternatives === null) return
      deadlines.reached('prompt')
      const scoring = { engine, version: held.version, plan, tokenizer, signal: deadlines.signal }
      promptEntries = await scorePrompt(scoring, promptAlternatives)
    }
    const sampled = sampleInTurn({ sampling, turn, held, requested, beforeSampling, samples })
    const parts = recording ? recordChoices({ parts: sampled, plan, recording, report }) : sampled
    const head = { id: `chatcmpl-${newId()}`, created: Math.floor(clock() / 1e6), plan }
    return {
      headers: () => ({
        ...(checkpoint !== null && { 'x-model-step': String(checkpoint.step) }),
        ...(recording && { 'x-heddle-trajectory-id': recording.place().trajectoryId, 'x-heddle-group-id': recording.place().groupId }),
      }),
      model,
      promptTokens: plan.prompt.length,
      promptText: () => tokenizer.decode(plan.prompt),
      promptEntries: () => promptEntries,
      whole: () => toCompletion(head, parts),
      chunks: (includeUsage) => toChunks(head, parts, includeUsage),
    }
  }
}

/** Some templates take ids of so many letters and digits alone. */
function callIdFrom(id: string, length: number | null): string {
  return length === null ? `call_${id}` : createHash('sha256').update(id).digest('hex').slice(0, length)
}

interface Entry {
  flow: Flow
  arrival: Arrival
  deadlines: CompletionDeadlines
}

function enterQueue(queue: GenerationQueue, { flow, arrival, deadlines }: Entry): GenerationTurn {
  try {
    return queue.enter(flow, arrival, deadlines.signal)
  } catch (error) {
    deadlines.end()
    throw error
  }
}

/** Fetches the files of the version, which counts as loading. */
async function holdVersion(
  versions: Pick<ModelVersions, 'hold'>,
  version: VersionOf,
  deadlines: CompletionDeadlines,
): Promise<HeldVersion> {
  deadlines.reached('loading')
  const held = await versions.hold(version, deadlines.signal)
  deadlines.reached('queued')
  return held
}

interface SampledTurn {
  sampling: GenerateOptions
  turn: GenerationTurn
  held: HeldVersion
  requested: RequestedWeights
  /** In the same turn. */
  beforeSampling: () => Promise<void>
  samples: boolean
}

async function* sampleInTurn({ sampling, turn, held, requested, beforeSampling, samples }: SampledTurn): AsyncGenerator<ChoiceDelta[]> {
  try {
    await turn.granted
    await beforeSampling()
    if (samples) yield* generateChoices(sampling)
    else yield withoutTokens(sampling.plan)
  } catch (error) {
    throw toCallerError(error, requested)
  } finally {
    sampling.deadlines.end()
    held.release()
    turn.leave()
  }
}

/** Every choice, ended before its first token. */
function withoutTokens({ seeds }: CompletionPlan): ChoiceDelta[] {
  const end = { reason: 'length', stopReason: null } as const
  return seeds.map((_, index) => ({ index, text: '', reasoning: '', calls: [], entries: [], tokens: [], end }))
}
