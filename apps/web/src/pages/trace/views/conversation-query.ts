import type { Call } from '@heddle/core-api'
import { type QueryKey, queryOptions } from '@tanstack/react-query'
import { client } from '../../../app/client.ts'
import { type Message, readConversation } from '@heddle/trace-model'

/** Calls whose messages are read at once. */
export const callsAtOnce = 20

/** Fields of a call that its messages are read from. */
export const messageColumns = ['id', 'inputs', 'output', 'attributes'] as const

/** The messages of some calls by their ids. */
export const conversationQuery = (project_id: string, ids: readonly string[]) =>
  messagesQuery(['messages-of-calls', project_id, ids], (signal) =>
    client.calls.streamQuery({ project_id, filter: { call_ids: [...ids] }, columns: [...messageColumns] }, { signal }),
  )

export type MessagesQuery = ReturnType<typeof messagesQuery>

/** The messages of the calls that are read, by their ids. */
export const messagesQuery = (
  queryKey: QueryKey,
  read: (signal: AbortSignal) => AsyncIterable<Pick<Call, (typeof messageColumns)[number]>>,
) =>
  queryOptions({
    queryKey,
    queryFn: async ({ signal }) => {
      const messages = new Map<string, Message[]>()
      for await (const call of read(signal)) {
        const { input, output } = readConversation(call)
        messages.set(call.id, [...input, ...output])
      }
      return messages
    },
    structuralSharing: false,
  })
