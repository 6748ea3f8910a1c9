import type { Context } from '@opentelemetry/api'
import type { JsonObject } from '@heddle/core-api'
import { createChunkReader } from '../chat/chat-stream.ts'
import { isJsonObject, objectsOf } from '../json-values.ts'
import { type Completion, type Conversation, isUnrecordable, recordable, type Unrecordable } from '../model-api.ts'
import { policyVersionOf } from '../policy-version.ts'
import { putBounded } from '../put-bounded.ts'
import type { Outcome, Recorder } from '../recorder.ts'
import type { LangChainMessage, LangChainParams, LangChainResult } from './langchain-run.ts'
import { toCompletion } from './result-to-completion.ts'
import { toChatMessage } from './to-chat-message.ts'
import { toTools } from './to-tools.ts'

interface StartedCall {
  runId: string
  parentRunId: string | undefined
  messages: readonly LangChainMessage[]
  params: LangChainParams
  metadata: JsonObject
}

interface OpenCall {
  conversation: Conversation | Unrecordable
  model: string | undefined
  end: (outcome: Outcome) => void
  /** Log-probabilities of the first choice. */
  logprobs: JsonObject[]
  chunks: ReturnType<typeof createChunkReader> | undefined
}

/** Model calls of LangChain from their start to their end. */
export function createReportedModelCalls({
  recorderNow,
  contextOf,
}: {
  recorderNow: () => Recorder | undefined
  contextOf: (runId: string | undefined) => Context
}) {
  const calls = new Map<string, OpenCall>()

  function take(runId: string): OpenCall | undefined {
    const call = calls.get(runId)
    calls.delete(runId)
    return call
  }

  return {
    start({ runId, parentRunId, messages, params, metadata }: StartedCall) {
      const recorder = recorderNow()
      if (!recorder || calls.has(runId)) return
      const model = modelOf(params, metadata)
      const end = recorder.beginReported(model, contextOf(parentRunId))
      putBounded(calls, runId, {
        conversation: recordable(() => toConversation(messages, params)),
        model,
        end,
        logprobs: [],
        chunks: undefined,
      })
    },
    addPiece(runId: string, { place, fields }: { place: unknown; fields: unknown }) {
      const call = calls.get(runId)
      if (!call || !isJsonObject(fields) || !isJsonObject(fields['chunk'])) return
      addChunk(call, fields['chunk'], isJsonObject(place) && typeof place['completion'] === 'number' ? place['completion'] : 0)
    },
    end(runId: string, result: LangChainResult) {
      const call = take(runId)
      if (!call) return
      const pieces = { logprobs: call.logprobs, completion: call.chunks?.completion() }
      call.end(
        toOutcome(
          call,
          recordable(() => toCompletion(result, pieces)),
        ),
      )
    },
    fail: (runId: string, error: unknown) => take(runId)?.end({ error }),
  }
}

/** A chunk carries its log-probabilities, and where the model keeps raw responses, the chunk of the endpoint with all that it has. */
function addChunk(call: OpenCall, { generationInfo, message }: JsonObject, choice: number) {
  const logprobs = isJsonObject(generationInfo) ? generationInfo['logprobs'] : undefined
  if (isJsonObject(logprobs) && choice === 0) call.logprobs.push(...objectsOf(logprobs['content']))
  const more = isJsonObject(message) ? message['additional_kwargs'] : undefined
  const raw = isJsonObject(more) ? more['__raw_response'] : undefined
  if (isJsonObject(raw)) (call.chunks ??= createChunkReader()).add(raw)
}

function toConversation(all: readonly LangChainMessage[], params: LangChainParams): Conversation | Unrecordable {
  const messages = []
  for (const message of all) {
    const converted = toChatMessage(message)
    if (isUnrecordable(converted)) return converted
    messages.push(converted)
  }
  return { messages, tools: toTools(params) }
}

function modelOf({ invocation_params: params }: LangChainParams, { ls_model_name: name }: JsonObject): string | undefined {
  const own = isJsonObject(params) ? [params['model'], params['model_name']] : []
  return [...own, name].find((one) => typeof one === 'string')
}

function toOutcome({ conversation, model }: OpenCall, completion: Completion | Unrecordable): Outcome {
  if (isUnrecordable(conversation)) return conversation
  if (isUnrecordable(completion)) return completion
  const { choices, isComplete, responseIds } = completion
  return {
    ...conversation,
    choices,
    model: completion.model ?? model,
    policyVersion: policyVersionOf({ models: [completion.model, model] }),
    isComplete,
    responseIds,
    request: { model },
  }
}
