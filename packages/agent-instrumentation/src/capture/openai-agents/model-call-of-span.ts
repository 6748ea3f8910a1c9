import type { JsonObject } from '@heddle/core-api'
import { chatApi } from '../chat/chat-api.ts'
import { isJsonObject, objectsOf } from '../json-values.ts'
import { isUnrecordable, type ModelApi } from '../model-api.ts'
import { policyVersionOf } from '../policy-version.ts'
import type { Outcome, Recorder } from '../recorder.ts'
import { responsesApi } from '../responses/responses-api.ts'
import { toInputItems } from './to-input-items.ts'

interface SpanCall {
  api: ModelApi
  request: JsonObject
  response: JsonObject | undefined
}

/** The outcome of a model call, from its ended span. `toolNames` are those of the agent: spans of chat completions have no tool definitions. */
export function toOutcome(data: JsonObject, { recorder, toolNames }: { recorder: Recorder; toolNames: readonly string[] }): Outcome {
  const { api, request, response } = data['type'] === 'response' ? ofResponse(data) : ofGeneration(data, toolNames)
  if (!response) return { unrecordable: 'a model call whose response is not in its span of the Agents SDK' }
  const conversation = api.conversationOf(request, recorder.stored)
  if (isUnrecordable(conversation)) return conversation
  const completion = api.completionOf(response)
  if (isUnrecordable(completion)) return completion
  api.store(request, response, recorder.stored)
  return { ...conversation, ...completion, policyVersion: policyVersionOf({ models: [completion.model, request['model']] }), request }
}

function ofGeneration({ input, output, model }: JsonObject, toolNames: readonly string[]): SpanCall {
  const tools = toolNames.map((name) => ({ type: 'function', function: { name } }))
  return { api: chatApi, request: { model, messages: objectsOf(input), tools }, response: objectsOf(output)[0] }
}

/** The endpoint repeats the request in its response, except for the input. */
function ofResponse({ _input: input, _response: response }: JsonObject): SpanCall {
  if (!isJsonObject(response)) return { api: responsesApi, request: {}, response: undefined }
  const { instructions, tools, model, previous_response_id, conversation, prompt } = response
  const request = { model, input: toInputItems(input), instructions, tools, previous_response_id, conversation, prompt }
  return { api: responsesApi, request, response }
}
