import { createHash } from 'node:crypto'
import type { Handlers, training } from '@heddle/core-api'
import { EventsAnswer, HttpAnswer } from '@heddle/core-api/internal'
import type { Micros } from '@heddle/datastore'
import type { Context } from '@heddle/identity'
import type { Flow } from '@heddle/service-kit'
import type { Engine } from '../../engine/engine.ts'
import type { HeldVersion, ModelVersions, VersionOf } from '../../model-versions/model-versions.ts'
import type { PromptPreparer } from './prompt-threads/prompt-preparer.ts'
import type { Tokenizers } from '../../tokenizer/tokenizers.ts'
import type { BeginRecording } from '../recorded-trajectories/record-calls.ts'
import type { ChoiceDelta } from './generation/choice-writer.ts'
import { type CompletionDeadlines, type CompletionTimes, createCompletionDeadlines } from './generation/completion-deadlines.ts'
import { type AskedWeights, toCallerError, toErrorEvent } from './generation/engine-failure.ts'
import { generateChoices, type GenerateOptions } from './generation/generate-choices.ts'
import { recordChoices } from './generation/record-choices.ts'
import type { Arrival, GenerationQueue, GenerationTurn } from './generation/generation-queue.ts'
import type { ResolveModel } from './model/resolve-model.ts'
import { planCompletion } from './request/plan-completion.ts'
import { refuseUnsupported } from './request/refuse-unsupported.ts'
import type { ResponseHead } from './response/response-head.ts'
import { toChunks } from './response/to-chunks.ts'
import { toCompletion } from './response/to-completion.ts'

export interface ChatCompletionsDeps {
  resolveModel: ResolveModel
  beginRecording: BeginRecording
  tokenizers: Tokenizers
  prompts: Pick<PromptPreparer, 'prepare'>
  versions: Pick<ModelVersions, 'hold'>
  engine: Pick<Engine, 'generate'>
  queue: GenerationQueue
  times: CompletionTimes
  clock: () => Micros
  newId: () => string
  newSeed: () => bigint
  /** Reports an error after the response has begun, when its status cannot change. */
  report: (error: unknown) => void
}

/** From then on a response that waits has begun, with a comment that keeps its connection. */
const heartbeatMs = 14_500

export function chatCompletionsHandlers(deps: ChatCompletionsDeps): Handlers<typeof training.chatCompletions, Context> {
  const { resolveModel, beginRecording, tokenizers, prompts, versions, engine, queue, times, clock, newId, newSeed, report } = deps
  return {
    async create(request, context) {
      const model = await resolveModel(context, request.model)
      const { base, checkpoint, project } = model
      const tokenizer = await tokenizers.of(base.folder)
      refuseUnsupported(request)
      const prepared = await prompts.prepare(request, base, context.work)
      const plan = planCompletion(request, prepared, { base, isTrained: checkpoint !== null, tokenizer, newSeed })
      const recording = await beginRecording(context, request, model)
      const { signal, caller } = context.work
      const deadlines = createCompletionDeadlines(times, signal)
      const isBulk = recording !== undefined
      const turn = enterQueue(queue, { flow: { caller, project }, arrival: { completions: plan.seeds.length, isBulk }, deadlines })
      const asked = { name: request.model, step: checkpoint?.step ?? null }
      const held = await holdVersion(versions, { baseModel: base.id, checkpoint }, deadlines).catch((error: unknown) => {
        turn.leave()
        deadlines.end()
        throw toCallerError(error, asked)
      })
      const sampling = {
        engine,
        version: held.version,
        plan,
        tokenizer,
        deadlines,
        newCallId: () => callIdFrom(newId(), tokenizer.toolCalls?.idLength ?? null),
      }
      const sampled = sampleInTurn({ sampling, turn, held, asked })
      const parts = recording ? recordChoices({ parts: sampled, plan, recording, report }) : sampled
      const head = { id: `chatcmpl-${newId()}`, created: Math.floor(clock() / 1e6), plan }
      const headers: Record<string, string> = checkpoint === null ? {} : { 'x-model-step': String(checkpoint.step) }
      if (!request.stream) return new HttpAnswer(await toCompletion(head, parts), { headers })
      return new EventsAnswer(toEvents({ head, parts, includeUsage: request.stream_options?.include_usage ?? false, report }), headers)
    },
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
  asked: AskedWeights
}

async function* sampleInTurn({ sampling, turn, held, asked }: SampledTurn): AsyncGenerator<ChoiceDelta[]> {
  try {
    await turn.granted
    yield* generateChoices(sampling)
  } catch (error) {
    throw toCallerError(error, asked)
  } finally {
    sampling.deadlines.end()
    held.release()
    turn.leave()
  }
}

interface StreamedCompletion {
  head: ResponseHead
  parts: AsyncIterable<ChoiceDelta[]>
  includeUsage: boolean
  report: (error: unknown) => void
}

/** The chunks; once they have begun, an error is the last event. Before, it is the status of the response. */
async function* toEvents({ head, parts, includeUsage, report }: StreamedCompletion): AsyncGenerator<unknown> {
  const begunMs = performance.now()
  let hasBegun = false
  try {
    for await (const chunk of toChunks(head, parts, includeUsage)) {
      hasBegun = true
      yield chunk
    }
  } catch (error) {
    if (!hasBegun && performance.now() - begunMs < heartbeatMs) throw error
    report(error)
    yield toErrorEvent(error)
  }
}
