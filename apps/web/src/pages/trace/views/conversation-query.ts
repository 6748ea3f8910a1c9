import { queryOptions } from '@tanstack/react-query'
import { client } from '../../../app/client.ts'
import { type Message, readMessages } from '../read-messages.ts'

/** Calls whose messages are read at once. */
export const callsAtOnce = 20

/** The messages of some calls by their ids. */
export const conversationQuery = (project_id: string, ids: readonly string[]) =>
  queryOptions({
    queryKey: ['messages-of-calls', project_id, ids],
    enabled: ids.length > 0,
    queryFn: async ({ signal }) => {
      const messages = new Map<string, Message[]>()
      const request = { project_id, filter: { call_ids: [...ids] }, columns: ['id', 'inputs', 'output'] }
      for await (const { id, inputs, output } of client.calls.streamQuery(request, { signal }))
        messages.set(id, readMessages(inputs, output))
      return messages
    },
    structuralSharing: false,
  })
