import type { Handlers, training } from '@heddle/core-api'
import { EventsAnswer, HttpAnswer } from '@heddle/core-api/internal'
import type { Context } from '@heddle/identity'
import type { BeginCompletion } from './begin-completion.ts'
import { toErrorEvent } from '../../engine/engine-failure.ts'
import { failuresAsEvents } from './response/failures-as-events.ts'

export interface ChatCompletionsDeps {
  begin: BeginCompletion
  /** Reports an error after the response has begun, when its status cannot change. */
  report: (error: unknown) => void
}

export function chatCompletionsHandlers({ begin, report }: ChatCompletionsDeps): Handlers<typeof training.chatCompletions, Context> {
  return {
    async create(request, context) {
      const { headers, whole, chunks } = await begin(request, context)
      if (!request.stream) return new HttpAnswer(await whole(), { headers: headers() })
      const events = chunks(request.stream_options?.include_usage ?? false)
      return new EventsAnswer(failuresAsEvents(events, { toEvent: toErrorEvent, report }), { headers: headers() })
    },
  }
}
