import { isApiError } from '@heddle/core-api'
import { queryOptions } from '@tanstack/react-query'
import { client, exactClient } from '../../lib/server/client.ts'
import { maxTraceCalls, ofTree, readTree } from '../../features/trace/trace-queries.ts'
import { readUsage, usageColumns } from '../../features/trace/usage/usage-query.ts'
import { messageColumns, messagesQuery } from '../../features/trace/views/conversation-query.ts'

/** The target of a public link. Null if it shows nothing. */
export const linkQuery = (token: string) =>
  queryOptions({
    queryKey: ['shared-trace', token],
    queryFn: async ({ signal }) => {
      if (token === '') return null
      try {
        return await client.sharedTraces.read({ token }, { signal })
      } catch (error) {
        if (isApiError(error) && (error.status === 404 || error.status === 422)) return null
        throw error
      }
    },
    // An open page shows when its link has ended.
    refetchInterval: 60_000,
  })

/** The calls of a shared trace. */
export const sharedTreeQuery = (token: string) =>
  queryOptions({
    queryKey: [...linkQuery(token).queryKey, 'calls'],
    queryFn: ({ signal }) => readTree(client.sharedTraces.streamTrace({ token, limit: maxTraceCalls + 1 }, { signal })),
    ...ofTree,
  })

/** The tokens that the calls of a shared trace used. */
export const sharedUsageQuery = (token: string, calls: number) =>
  queryOptions({
    queryKey: [...linkQuery(token).queryKey, 'usage', calls],
    enabled: calls > 0,
    queryFn: ({ signal }) =>
      readUsage(client.sharedTraces.streamCalls({ token, columns: [...usageColumns], limit: maxTraceCalls }, { signal }), maxTraceCalls),
    structuralSharing: false,
  })

/** One call of a shared trace. Null where it has none with this id. */
export const sharedCallQuery = (token: string, call_id: string) =>
  queryOptions({
    queryKey: [...linkQuery(token).queryKey, 'call', call_id],
    queryFn: async ({ signal }) => (await exactClient.sharedTraces.readCall({ token, call_id }, { signal })).call,
    refetchInterval: ({ state }) => (state.data?.ended_at === null ? 3_000 : false),
  })

/** The messages of some calls of a shared trace. */
export const sharedMessagesQuery = (token: string, ids: readonly string[]) =>
  messagesQuery([...linkQuery(token).queryKey, 'messages', ids], (signal) =>
    exactClient.sharedTraces.streamCalls({ token, call_ids: [...ids], columns: [...messageColumns] }, { signal }),
  )
