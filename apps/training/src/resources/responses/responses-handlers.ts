import type { Handlers, training } from '@heddle/core-api'
import { EventsAnswer, HttpAnswer, JsonText } from '@heddle/core-api/internal'
import type { ModelResponse } from '@heddle/core-api/types'
import type { Micros } from '@heddle/datastore'
import type { Context } from '@heddle/identity'
import { stringifyJson } from '@heddle/json'
import type { BeginCompletion } from '../chat-completions/begin-completion.ts'
import { toShownError } from '../../engine/engine-failure.ts'
import { parseChatRequest } from '../chat-completions/request/parse-chat-request.ts'
import { type FieldNames, withFieldNames } from '../chat-completions/request/with-field-names.ts'
import { failuresAsEvents } from '../chat-completions/response/failures-as-events.ts'
import { recordingHeadersOf } from '../recorded-trajectories/recording-headers-of.ts'
import type { StoredResponses } from './stored-responses.ts'
import { toChatMessages } from './to-chat-messages.ts'
import { toChatRequest } from './to-chat-request.ts'
import { numbered, toResponseEvents } from './to-response-events.ts'
import { emptyResponse, type ResponseHead, toResponse } from './to-response.ts'

export interface ResponsesDeps {
  begin: BeginCompletion
  stored: StoredResponses
  assertDiskSpace: (() => Promise<void>) | undefined
  clock: () => Micros
  newId: () => string
  /** Reports an error after the response has begun, when its status cannot change. */
  report: (error: unknown) => void
}

export function responsesHandlers(deps: ResponsesDeps): Handlers<typeof training.responses, Context> {
  const { begin, stored, assertDiskSpace, clock, newId, report } = deps
  return {
    async create(request, context) {
      if (request.store) await assertDiskSpace?.()
      const previous = request.previous_response_id
      const before = previous === null ? [] : (await stored.read(context, previous, 'previous_response_id')).conversation
      const messages = [...before, ...toChatMessages(request.input)]
      const { headers, model, whole, chunks } = await withFieldNames(fieldNames, async () => {
        const chat = await parseChatRequest(toChatRequest(request, messages))
        return begin({ ...chat, ...recordingHeadersOf(request) }, context)
      })
      const head: ResponseHead = { id: `resp_${newId()}`, createdAt: Math.floor(clock() / 1e6), request }
      const keep = async (response: ModelResponse) => {
        if (!request.store) return
        await stored.save(context, model, { response, conversation: [...messages, ...toChatMessages(response.output)] })
      }
      if (request.stream) {
        const events = failuresAsEvents(toResponseEvents(head, chunks(false), keep), { toEvent: (error) => toFailed(head, error), report })
        return new EventsAnswer(numbered(events), { headers: headers(), named: true })
      }
      const response = toResponse(head, await whole())
      await keep(response)
      return new HttpAnswer(response, { headers: headers() })
    },

    async read({ response_id }, context) {
      const { response } = await stored.read(context, response_id)
      return new JsonText(stringifyJson(response))
    },

    async delete({ response_id }, context) {
      await stored.delete(context, response_id)
      return { id: response_id, object: 'response', deleted: true }
    },
  }
}

const fieldNames: FieldNames = {
  messages: 'input',
  max_completion_tokens: 'max_output_tokens',
  response_format: 'text.format',
  reasoning_effort: 'reasoning.effort',
}

/** The last event of a response that failed after it had begun. */
function toFailed(head: ResponseHead, error: unknown) {
  const { status, message } = toShownError(error)
  const failed = {
    ...emptyResponse(head),
    status: 'failed',
    error: { code: status === 429 ? 'rate_limit_exceeded' : 'server_error', message },
  }
  return { type: 'response.failed', response: failed }
}
