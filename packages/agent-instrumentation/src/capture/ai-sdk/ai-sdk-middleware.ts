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
  /** Each later version asks for its own in its types, and none reads it. */
  specificationVersion: 'v3' & 'v4'
  transformParams<Options extends CallOptions>(call: { params: Options; model: CalledModel }): Promise<Options>
  wrapGenerate<Result extends GeneratedResult>(call: Wrapped<() => PromiseLike<Result>>): Promise<Result>
  wrapStream<Result extends StreamedResult>(call: {
    doStream: () => PromiseLike<Result>
    params: CallOptions
    model: CalledModel
  }): Promise<Result>
}

interface Wrapped<Generate> {
  doGenerate: Generate
  params: CallOptions
  model: CalledModel
}

/** Records the model calls of any provider. Where its `fetch` records too, which sees more, that one does. */
export function createAiSdkMiddleware(recorderNow: () => Recorder | undefined): AiSdkMiddleware {
  return {
    middlewareVersion: 'v2',
    specificationVersion: undefined as never,
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

const unknownVersion = ({ specificationVersion, modelId }: CalledModel) => ({
  unrecordable: `a call of the model ${JSON.stringify(modelId)}, whose interface to the AI SDK has the version ${JSON.stringify(specificationVersion)}; ${knownVersions.join(', ')} are known (AI SDK 5, 6 and 7)`,
})

interface OpenCall {
  /** Sends the call, and hands its result to `onResult`, or ends it with the error. */
  send<Result>(doCall: () => PromiseLike<Result>, onResult: (result: Result) => Result): Promise<Result>
  /** The first call counts. `headers` are those of the response, where the provider passes them on. */
  end(completion: Completion, headers: Record<string, string> | undefined): void
}

function beginCall(recorder: Recorder | undefined, params: CallOptions, model: CalledModel): OpenCall | undefined {
  if (!recorder) return undefined
  const conversation = knownVersions.includes(model.specificationVersion) ? toConversation(params) : unknownVersion(model)
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
