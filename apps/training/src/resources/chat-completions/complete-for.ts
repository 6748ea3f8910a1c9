import type { JsonObject } from '@heddle/core-api'
import { forbidden, unauthenticated } from '@heddle/core-api/internal'
import type { Context, Identity } from '@heddle/identity'
import type { BeginCompletion } from './begin-completion.ts'
import { parseChatRequest } from './request/parse-chat-request.ts'

/** Whose models may be sampled, and until when. */
export interface CompletionWork {
  projectId: string
  signal: AbortSignal
}

export type CompleteFor = (request: JsonObject, work: CompletionWork) => Promise<JsonObject>

/** Chat completions for work of the server in one project: all models but those of the project count as missing. */
export function createCompleteFor(begin: BeginCompletion, { openForWork }: Pick<Identity, 'openForWork'>): CompleteFor {
  return async (request, { projectId, signal }) => {
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
    const begun = await begin(await parseChatRequest(request), context, { records: false })
    return (await begun.whole()) as unknown as JsonObject
  }
}
