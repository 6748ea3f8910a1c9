import type { Call } from '@heddle/core-api/types'
import { type QueryKey, queryOptions } from '@tanstack/react-query'
import { exactClient } from '../../../lib/server/client.ts'
import { type Message, readConversation } from '@heddle/trace-model'
import type { ModelRequest } from './model-calls.ts'

/** Requests whose messages are read together. */
export const requestsAtOnce = 20

/** Most reports of one request to read: a public link returns 100 calls per request. */
const maxReports = 5

/** Ids of the calls from which the messages of a request are read. */
export const idsOfReports = (request: ModelRequest) => request.slice(0, maxReports).map(({ id }) => id)

/** Fields of a call that its messages are read from. */
export const messageColumns = ['id', 'inputs', 'output', 'attributes'] as const

/** The messages of some calls by their ids. */
export const conversationQuery = (project_id: string, ids: readonly string[]) =>
  messagesQuery(['messages-of-calls', project_id, ids], (signal) =>
    exactClient.calls.streamQuery({ project_id, filter: { call_ids: [...ids] }, columns: [...messageColumns] }, { signal }),
  )

export type MessagesQuery = ReturnType<typeof messagesQuery>

type ReadCall = Pick<Call, (typeof messageColumns)[number]>

/** The messages of the calls that are read, by their ids. */
export const messagesQuery = (queryKey: QueryKey, read: (signal: AbortSignal) => AsyncIterable<ReadCall>) =>
  queryOptions({ queryKey, queryFn: ({ signal }) => readMessages(read(signal)), structuralSharing: false })

export async function readMessages(calls: AsyncIterable<ReadCall>): Promise<Map<string, Message[]>> {
  const messages = new Map<string, Message[]>()
  for await (const call of calls) {
    const { input, output } = readConversation(call)
    messages.set(call.id, [...input, ...output])
  }
  return messages
}
