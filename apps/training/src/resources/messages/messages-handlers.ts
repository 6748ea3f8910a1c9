import type { Handlers, training } from '@heddle/core-api'
import { EventsAnswer, HttpAnswer } from '@heddle/core-api/internal'
import type { Context } from '@heddle/identity'
import type { BeginCompletion, CountPrompt } from '../chat-completions/begin-completion.ts'
import { parseChatRequest } from '../chat-completions/request/parse-chat-request.ts'
import { type FieldNames, withFieldNames } from '../chat-completions/request/with-field-names.ts'
import { failuresAsEvents } from '../chat-completions/response/failures-as-events.ts'
import { recordingHeadersOf } from '../recorded-trajectories/recording-headers-of.ts'
import { toMessageErrorEvent } from './message-error.ts'
import { toChatPrompt, toChatRequest } from './to-chat-request.ts'
import { toMessage } from './to-message.ts'
import { toMessageEvents } from './to-message-events.ts'

export interface MessagesDeps {
  begin: BeginCompletion
  countPrompt: CountPrompt
  /** Reports an error after the response has begun, when its status cannot change. */
  report: (error: unknown) => void
}

export function messagesHandlers({ begin, countPrompt, report }: MessagesDeps): Handlers<typeof training.messages, Context> {
  return {
    async create(request, context) {
      const { headers, promptTokens, whole, chunks } = await withFieldNames(fieldNames, async () => {
        const chat = await parseChatRequest(toChatRequest(request))
        return begin({ ...chat, ...recordingHeadersOf(request) }, context)
      })
      if (!request.stream) return new HttpAnswer(toMessage(await whole()), { headers: headers() })
      const events = toMessageEvents(chunks(false), promptTokens)
      return new EventsAnswer(failuresAsEvents(events, { toEvent: toMessageErrorEvent, report }), { headers: headers(), named: true })
    },

    async countTokens(request, context) {
      const count = async () => countPrompt(await parseChatRequest(toChatPrompt(request)), context)
      return { input_tokens: await withFieldNames(fieldNames, count) }
    },
  }
}

const fieldNames: FieldNames = {
  stop: 'stop_sequences',
  response_format: 'output_config.format',
  reasoning_effort: 'output_config.effort',
}
