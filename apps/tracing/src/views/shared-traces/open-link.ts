import { ApiError } from '@heddle/core-api'
import { notFound } from '@heddle/core-api/internal'
import type { Micros } from '@heddle/datastore'
import { hashToken, type Identity, type ProjectScope, tokenKind } from '@heddle/identity'
import type { KeyedRate } from '@heddle/service-kit'
import type { TracingContext } from '../../context.ts'
import type { CallsStore } from '../../records/calls/calls-store.ts'
import { noCallsFilter } from '../../records/calls/read/no-calls-filter.ts'
import { sharedTraceLimits } from './shared-trace-limits.ts'
import type { SharedTracesStore, StoredSharedTrace } from './shared-traces-store.ts'

export const linkTokens = tokenKind('ht')

/** A link that is used, and the project of its trace. */
export interface OpenedLink {
  link: StoredSharedTrace
  project: ProjectScope
  /** @throws ApiError 404 where the trace has no calls any more */
  assertTrace(): Promise<void>
}

export interface OpenLinkDeps {
  store: SharedTracesStore
  calls: Pick<CallsStore, 'count'>
  identity: Pick<Identity, 'openForWork'>
  rate: KeyedRate
  clock: () => Micros
  /** False: the operator has switched public links off. */
  isEnabled: boolean
}

/**
 * Opens a link by its token.
 * @throws ApiError 404 for a token that is unknown, expired or deleted; the response does not distinguish them. 429 for too many requests of a link.
 */
export type OpenLink = (token: string, context: Pick<TracingContext, 'work'>) => Promise<OpenedLink>

export function createOpenLink({ store, calls, identity, rate, clock, isEnabled }: OpenLinkDeps): OpenLink {
  return async (token, { work }) => {
    const link = isEnabled && linkTokens.matches(token) ? await store.findByHash(hashToken(token), clock()) : undefined
    if (!link) throw unusableLink()
    const waitSeconds = rate.take(link.id)
    if (waitSeconds !== undefined) throw tooOften(waitSeconds)
    // The creator of the link could read and write in the project. Without a key, the statements of all links share a few permits.
    const project = await identity.openForWork(link.project_id, { caller: '', signal: work.signal })
    const assertTrace = async () => {
      if (!(await hasTrace(calls, project, link.trace_id))) throw unusableLink()
    }
    return { link, project, assertTrace }
  }
}

/** Whether a project has calls of a trace. */
export async function hasTrace(calls: Pick<CallsStore, 'count'>, project: ProjectScope, traceId: string): Promise<boolean> {
  return (await calls.count(project, callsOfTrace(traceId, { limit: 1 }))) > 0
}

/** Selects calls of a trace, by start, then id. */
export function callsOfTrace(
  traceId: string,
  { callIds = null, limit, offset = 0 }: { callIds?: string[] | null; limit: number; offset?: number },
) {
  const filter = { ...noCallsFilter, trace_ids: [traceId], call_ids: callIds }
  return { filter, query: null, sort_by: null, limit, offset, expand_columns: null }
}

export const unusableLink = () =>
  notFound('this link shows nothing: it has expired or was revoked, its trace was deleted, or it is incomplete; ask for a new one')

const tooOften = (seconds: number) =>
  new ApiError(
    'too_many_requests',
    `this link was used more than ${sharedTraceLimits.requestsPerMinute} times in a minute; send the request again after ${seconds} s`,
    { retryAfterSeconds: seconds },
  )
