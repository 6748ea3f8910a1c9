import type { Handlers, training } from '@heddle/core-api'
import { badRequest, EventsAnswer, HttpAnswer } from '@heddle/core-api/internal'
import type { CompletionRequest, TextCompletion } from '@heddle/core-api/types'
import type { Micros } from '@heddle/datastore'
import type { Context } from '@heddle/identity'
import type { BeginCompletion, BegunCompletion } from '../chat-completions/begin-completion.ts'
import { toErrorEvent } from '../../engine/engine-failure.ts'
import type { ResolvedModel, ResolveModel } from '../served-models/resolve-model.ts'
import { parseChatRequest } from '../chat-completions/request/parse-chat-request.ts'
import { failuresAsEvents } from '../chat-completions/response/failures-as-events.ts'
import { type CompletionPrompt, listPrompts, toChatRequest, wantsOnlyEcho } from './to-chat-request.ts'
import { toTextChunks } from './to-text-chunks.ts'
import { addUsage, noUsage, toTextChoices, type Usage } from './to-text-choices.ts'

export interface CompletionsDeps {
  begin: BeginCompletion
  resolveModel: ResolveModel
  clock: () => Micros
  newId: () => string
  /** Reports an error after the response has begun, when its status cannot change. */
  report: (error: unknown) => void
}

type TextHead = Pick<TextCompletion, 'id' | 'object' | 'created' | 'model'>

export function completionsHandlers(deps: CompletionsDeps): Handlers<typeof training.completions, Context> {
  const { begin, resolveModel, clock, newId, report } = deps
  return {
    async create(request, context) {
      if (request['x-heddle-trajectory-id'] !== undefined)
        throw badRequest('x-heddle-trajectory-id is for chats; use /v1/chat/completions, /v1/responses or /v1/messages')
      const prompts = listPrompts(request)
      const chat = await parseChatRequest(toChatRequest(request))
      // All prompts are completed by the same weights, even if the model is trained meanwhile.
      const model = await resolveModel(context, request.model)
      const beginOne = (prompt: CompletionPrompt, signal: AbortSignal) =>
        begin(chat, withSignal(context, signal), {
          model,
          plain: { content: prompt, addSpecialTokens: request.add_special_tokens },
          promptAlternatives: scoringOf(request),
          samples: !wantsOnlyEcho(request),
        })
      const head: TextHead = { id: `cmpl-${newId()}`, object: 'text_completion', created: Math.floor(clock() / 1e6), model: request.model! }
      const headers = headersOf(model)
      const batch = { request, prompts, beginOne, signal: context.work.signal }
      if (request.stream) {
        const events = streamAll(head, batch)
        return new EventsAnswer(failuresAsEvents(events, { toEvent: toErrorEvent, report }), { headers })
      }
      const all = await completeAll(batch)
      const choices = all.flatMap((one) => one.choices).map((choice, index) => ({ ...choice, index }))
      return new HttpAnswer({ ...head, choices, usage: all.reduce((sum, { usage }) => addUsage(sum, usage), noUsage) }, { headers })
    },
  }
}

const headersOf = ({ checkpoint }: ResolvedModel): Record<string, string> =>
  checkpoint === null ? {} : { 'x-model-step': String(checkpoint.step) }

/** Alternatives for each token of an echoed prompt; null where its log-probabilities are not requested. */
const scoringOf = ({ echo, logprobs }: CompletionRequest) => (echo ? logprobs : null)

const withSignal = (context: Context, signal: AbortSignal): Context => ({ ...context, work: { ...context.work, signal } })

interface PromptBatch {
  request: CompletionRequest
  prompts: readonly CompletionPrompt[]
  beginOne: (prompt: CompletionPrompt, signal: AbortSignal) => Promise<BegunCompletion>
  /** Aborts with the request. */
  signal: AbortSignal
}

/** The prompts are prepared one after the other, since few of all requests may wait for that, and sampled together. The first failure ends them all. */
async function completeAll({ request, prompts, beginOne, signal }: PromptBatch) {
  const failed = new AbortController()
  const either = AbortSignal.any([signal, failed.signal])
  const completing: Promise<{ choices: TextCompletion['choices']; usage: Usage }>[] = []
  try {
    for (const prompt of prompts) {
      const one = completeOne(await beginOne(prompt, either), request, prompt)
      one.catch((error: unknown) => failed.abort(error))
      completing.push(one)
    }
    return await Promise.all(completing)
  } catch (error) {
    failed.abort(error)
    throw error
  }
}

async function completeOne(begun: BegunCompletion, request: CompletionRequest, prompt: CompletionPrompt) {
  const { choices, usage } = await begun.whole()
  return { choices: toTextChoices(choices, { request, prompt, begun }), usage }
}

/** One prompt after the other. */
async function* streamAll(head: TextHead, { request, prompts, beginOne, signal }: PromptBatch): AsyncGenerator<TextCompletion> {
  let usage: Usage = noUsage
  for (const [index, prompt] of prompts.entries()) {
    const begun = await beginOne(prompt, signal)
    const streamed = { request, prompt, begun, firstIndex: index * request.n, offsets: new Map<number, number>() }
    for await (const chunk of begun.chunks(false)) {
      if (chunk.usage) usage = addUsage(usage, chunk.usage)
      const isLast = Boolean(chunk.usage) && index === prompts.length - 1
      const choices = toTextChunks(chunk, streamed)
      if (choices.length > 0) yield { ...head, choices, ...(isLast && !request.stream_options?.include_usage && { usage }) }
    }
  }
  if (request.stream_options?.include_usage) yield { ...head, choices: [], usage }
}
