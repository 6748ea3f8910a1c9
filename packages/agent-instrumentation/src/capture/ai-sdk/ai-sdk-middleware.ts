import { offerCall } from '../call-claim.ts'
import { type Completion, type Conversation, isUnrecordable } from '../model-api.ts'
import { policyVersionOf } from '../policy-version.ts'
import type { Outcome, RecordedExchange, Recorder } from '../recorder.ts'
import { watchStream } from '../watch-stream.ts'
import type { CalledModel, CallOptions, GeneratedResult, Part, StreamedResult } from './language-model.ts'
import { toConversation } from './prompt-to-messages.ts'
import { createPartReader, toCompletion } from './result-to-choice.ts'

/** Middleware for `wrapLanguageModel` of the AI SDK, versions 5, 6 and 7. */
export interface AiSdkMiddleware {
  /** Version 5 has this one. */
  middlewareVersion: 'v2'
  /** Each later version requires its own value in its types; none reads it at run time. */
  specificationVersion: 'v3' & 'v4'
  /** Called when a model is wrapped. @throws TypeError for a model of a version that is not known */
  overrideModelId(call: { model: CalledModel }): string
  transformParams<Options extends CallOptions>(call: { params: Options; model: CalledModel }): Promise<Options>
  wrapGenerate<Result extends GeneratedResult>(call: GenerateCall<() => PromiseLike<Result>>): Promise<Result>
  wrapStream<Result extends StreamedResult>(call: {
    doStream: () => PromiseLike<Result>
    params: CallOptions
    model: CalledModel
  }): Promise<Result>
}

interface GenerateCall<Generate> {
  doGenerate: Generate
  params: CallOptions
  model: CalledModel
}

/** Records the model calls of any provider. If the provider's `fetch` is instrumented as well, that records the call, since it sees more. */
export function createAiSdkMiddleware(recorderNow: () => Recorder | undefined): AiSdkMiddleware {
  return {
    middlewareVersion: 'v2',
    specificationVersion: undefined as never,
    overrideModelId({ model }) {
      assertKnownVersion(model)
      return model.modelId
    },
    async transformParams({ params, model }) {
      return recorderNow()?.asksLogprobs(model.modelId) ? withLogprobs(params, model) : params
    },
    async wrapGenerate({ doGenerate, params, model }) {
      const call = beginCall(recorderNow(), params, model)
      if (!call) return doGenerate()
      return call.send(doGenerate, (result) => {
        call.end(toCompletion(result, 'generate'), result.response?.headers)
        return result
      })
    },
    async wrapStream({ doStream, params, model }) {
      const call = beginCall(recorderNow(), params, model)
      if (!call) return doStream()
      return call.send(doStream, (result) => {
        const parts = createPartReader()
        const headers = result.response?.headers
        const onPart = (part: Part) => parts.add(part)
        return { ...result, stream: watchStream(result.stream, onPart, () => call.end(toCompletion(parts.result(), 'stream'), headers)) }
      })
    },
  }
}

/** Of AI SDK 5, 6 and 7. */
const knownVersions = ['v2', 'v3', 'v4']

/** What cannot be read cannot be trained on, so it is refused where the model is wrapped, not silently omitted. */
function assertKnownVersion(model: CalledModel): void {
  const unknown = versionsOf(model).find((version) => !knownVersions.includes(version))
  if (unknown === undefined) return
  throw new TypeError(
    `the model ${JSON.stringify(model.modelId)} has version ${JSON.stringify(unknown)} of the interface between the AI SDK and providers; aiSdkMiddleware records ${knownVersions.join(', ')} (AI SDK 5, 6 and 7). Use a version of \`ai\` from 5 to 7, or give the provider \`fetch: agent.fetch\` in place of the middleware`,
  )
}

/**
 * Versions that a model and its own property report. AI SDK 7 passes each model on behind a proxy that reports the newest version, whatever the model
 * is, but forwards the model's properties.
 */
function versionsOf(model: CalledModel): string[] {
  const versions = [model.specificationVersion]
  for (let at: unknown = model; typeof at === 'object' && at !== null; at = Object.getPrototypeOf(at) as unknown) {
    const property = Object.getOwnPropertyDescriptor(at, 'specificationVersion')
    if (property === undefined) continue
    const own: unknown = property.get ? property.get.call(model) : property.value
    return typeof own === 'string' ? [...versions, own] : versions
  }
  return versions
}

interface OpenCall {
  /** Sends the call, and hands its result to `onResult`, or ends it with the error. */
  send<Result>(doCall: () => PromiseLike<Result>, onResult: (result: Result) => Result): Promise<Result>
  /** The first call counts. `headers` are those of the response, where the provider passes them on. */
  end(completion: Completion, headers: Record<string, string> | undefined): void
}

function beginCall(recorder: Recorder | undefined, params: CallOptions, model: CalledModel): OpenCall | undefined {
  // No model id was available when the model was wrapped.
  assertKnownVersion(model)
  if (!recorder) return undefined
  const conversation = toConversation(params)
  const close = recorder.begin(model.modelId)
  let wasTaken = () => false
  let hasEnded = false

  function finish(outcome: Outcome) {
    if (hasEnded) return
    hasEnded = true
    close(wasTaken() ? { recordedElsewhere: true } : outcome)
  }

  return {
    async send(doCall, onResult) {
      try {
        const offered = offerCall(recorder, doCall)
        wasTaken = offered.wasTaken
        return onResult(await offered.result)
      } catch (error) {
        finish({ error })
        throw error
      }
    },
    end: (completion, headers) =>
      finish(isUnrecordable(conversation) ? conversation : toExchange(conversation, completion, { called: model, headers })),
  }
}

function toExchange(
  conversation: Conversation,
  { choices, model, isComplete, responseIds }: Completion,
  { called, headers }: { called: CalledModel; headers: Record<string, string> | undefined },
): RecordedExchange {
  return {
    ...conversation,
    choices,
    model: model ?? called.modelId,
    policyVersion: policyVersionOf({ headers, models: [model, called.modelId] }),
    isComplete,
    responseIds,
    request: { model: called.modelId },
  }
}

/** Providers of OpenAI-compatible endpoints read this option under the name `openai`. */
function withLogprobs<Options extends CallOptions>(params: Options, { provider }: CalledModel): Options {
  const { openai } = params.providerOptions ?? {}
  if (!provider.startsWith('openai') || openai?.['logprobs'] !== undefined) return params
  return { ...params, providerOptions: { ...params.providerOptions, openai: { ...openai, logprobs: true } } }
}
