import { type Handlers, type JsonObject, training } from '@heddle/core-api'
import { forbidden, HttpAnswer, invalid, parsePaced, unauthenticated } from '@heddle/core-api/internal'
import type { Context, Identity } from '@heddle/identity'
import { timeSlices, toIssues } from '@heddle/service-kit'

/** Whose models may be sampled, and until when. */
export interface CompletionWork {
  projectId: string
  signal: AbortSignal
}

export type CompleteFor = (request: JsonObject, work: CompletionWork) => Promise<JsonObject>

/** Chat completions for work of the server in one project: all models but those of the project count as missing. */
export function createCompleteFor(
  { create }: Handlers<typeof training.chatCompletions, Context>,
  { openForWork }: Pick<Identity, 'openForWork'>,
): CompleteFor {
  return async (request, { projectId, signal }) => {
    const given = { ...request, stream: false }
    const parsed = await parsePaced(training.chatCompletions.create.body, given, timeSlices.begin())
    if (!parsed.success) throw invalid(toIssues(parsed.error, { root: 'body', input: request }))
    const work = { caller: 'jobs', signal }
    const context: Context = {
      get caller(): never {
        throw unauthenticated()
      },
      work,
      async open(id) {
        if (id !== projectId) throw forbidden()
        return openForWork(id, work)
      },
      list: async () => [],
    }
    const answer = await create(parsed.data, context)
    if (!(answer instanceof HttpAnswer)) throw new TypeError('a completion that is not streamed is one answer')
    return answer.value as unknown as JsonObject
  }
}
