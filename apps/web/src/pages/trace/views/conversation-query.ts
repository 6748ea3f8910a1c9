import type { Call } from '@heddle/core-api'
import { type QueryKey, queryOptions } from '@tanstack/react-query'
import { client } from '../../../app/client.ts'
import { type Message, readMessages } from '../read-messages.ts'

/** Calls whose messages are read at once. */
export const callsAtOnce = 20

/** Fields of a call that its messages stand in. */
export const messageColumns = ['id', 'inputs', 'output'] as const

/** The messages of some calls by their ids. */
export const conversationQuery = (project_id: string, ids: readonly string[]) =>
  messagesQuery(['messages-of-calls', project_id, ids], (signal) =>
    client.calls.streamQuery({ project_id, filter: { call_ids: [...ids] }, columns: [...messageColumns] }, { signal }),
  )

export type MessagesQuery = ReturnType<typeof messagesQuery>

/** The messages of the calls that are read, by their ids. */
export const messagesQuery = (queryKey: QueryKey, read: (signal: AbortSignal) => AsyncIterable<Pick<Call, 'id' | 'inputs' | 'output'>>) =>
  queryOptions({
    queryKey,
    queryFn: async ({ signal }) => {
      const messages = new Map<string, Message[]>()
      for await (const { id, inputs, output } of read(signal)) messages.set(id, readMessages(inputs, output))
      return messages
    },
    structuralSharing: false,
  })
