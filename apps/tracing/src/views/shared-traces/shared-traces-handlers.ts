import { ApiError, formatTimestamp, type Handlers, type tracing } from '@heddle/core-api'
import type { SharedTrace } from '@heddle/core-api/types'
import { badRequest, JsonText, notFound } from '@heddle/core-api/internal'
import type { KeyedLock, Micros } from '@heddle/datastore'
import { hashToken, type Identity, type ProjectScope } from '@heddle/identity'
import type { TracingContext } from '../../context.ts'
import type { CallsStore } from '../../records/calls/calls-store.ts'
import { hasTrace, linkTokens, type OpenLink } from './open-link.ts'
import { readSharedCall, readSharedCalls, readSharedTree } from './read-shared-calls.ts'
import { sharedTraceLimits } from './shared-trace-limits.ts'
import type { SharedTracesStore, StoredSharedTrace } from './shared-traces-store.ts'

export interface SharedTracesDeps {
  store: SharedTracesStore
  calls: CallsStore
  openLink: OpenLink
  identity: Pick<Identity, 'contextFor'>
  locks: KeyedLock
  clock: () => Micros
  newId: () => string
  /** False: the operator has switched public links off. */
  isEnabled: boolean
}

type SharedTraces = (typeof tracing)['sharedTraces']

const dayMicros = 24 * 3_600 * 1_000_000

/** Public links to traces: management for their owners, and reads for anyone with a link. */
export function sharedTracesHandlers(deps: SharedTracesDeps): Handlers<SharedTraces, TracingContext> {
  return { ...managementHandlers(deps), ...readHandlers(deps) }
}

function managementHandlers(deps: SharedTracesDeps): Handlers<Pick<SharedTraces, 'create' | 'list' | 'delete'>, TracingContext> {
  const { store, calls, identity, locks, clock, newId, isEnabled } = deps

  /** Of requests at the same time no more than fit are stored. */
  const insert = (project: ProjectScope, link: StoredSharedTrace, made: { hash: string; keyId: string }) =>
    locks.withKeys(project, [`shared_traces\0${project.id}`], async () => {
      const { perProject } = sharedTraceLimits
      if ((await store.count(project.id, clock())) >= perProject)
        throw badRequest(`${project.id} has ${perProject} links to traces, which is the most; delete one first`)
      await store.insert(link, made)
    })

  return {
    async create({ project_id, trace_id, expires_in_days }, context) {
      if (!isEnabled) throw switchedOff()
      const project = await context.open(project_id)
      // A link reads, so a key that may only send cannot make one.
      await identity.contextFor(context.caller, 'read', context.work).open(project_id)
      if (!(await hasTrace(calls, project, trace_id)))
        throw notFound(`trace ${JSON.stringify(trace_id)} was not found in ${project.id}: it has no calls there`)
      const [token, created_at] = [linkTokens.create(), clock()]
      const times = { created_at, expires_at: created_at + expires_in_days * dayMicros }
      const link = { project_id: project.id, id: newId(), trace_id, created_by: context.caller.userId, ...times }
      await insert(project, link, { hash: hashToken(token), keyId: context.caller.keyId })
      return { shared_trace: toSharedTrace(link), token }
    },

    async list({ project_id, trace_id, limit, offset }, context) {
      const project = await context.open(project_id)
      const found = await store.list(project.id, clock(), { traceId: trace_id, limit: limit + 1, offset })
      return { shared_traces: found.slice(0, limit).map(toSharedTrace), has_more: found.length > limit }
    },

    async delete({ project_id, id }, context) {
      const project = await context.open(project_id)
      await store.delete(project.id, id)
      return {}
    },
  }
}

function readHandlers({
  calls,
  openLink,
}: SharedTracesDeps): Handlers<Pick<SharedTraces, 'read' | 'streamTrace' | 'streamCalls' | 'readCall'>, TracingContext> {
  return {
    async read({ token }, context) {
      const { link, assertTrace } = await openLink(token, context)
      await assertTrace()
      return { trace_id: link.trace_id, expires_at: formatTimestamp(link.expires_at) }
    },

    async streamTrace({ token, limit }, context) {
      return readSharedTree(calls, await openLink(token, context), limit)
    },

    streamCalls: (async ({ token, ...wanted }, context) => readSharedCalls(calls, await openLink(token, context), wanted)) as Handlers<
      Pick<SharedTraces, 'streamCalls'>,
      TracingContext
    >['streamCalls'],

    async readCall({ token, call_id }, context) {
      const record = await readSharedCall(calls, await openLink(token, context), call_id)
      return new JsonText(`{"call":${record?.json ?? 'null'}}`)
    },
  }
}

function toSharedTrace({ project_id: _project, created_at, expires_at, ...link }: StoredSharedTrace): SharedTrace {
  return { ...link, created_at: formatTimestamp(created_at), expires_at: formatTimestamp(expires_at) }
}

const switchedOff = () =>
  new ApiError(
    'forbidden',
    'public links are switched off on this server (HEDDLE_PUBLIC_LINKS is off); ask its operator, or give the reader a key with the role reader',
    { extra: { setting: 'HEDDLE_PUBLIC_LINKS' } },
  )
