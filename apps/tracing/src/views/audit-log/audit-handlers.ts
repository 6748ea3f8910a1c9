import { type Operation, tracing } from '@heddle/core-api'
import { isAudited } from '@heddle/core-api/internal'
import { type Micros, StoreError } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { ServiceLog } from '@heddle/service-kit'
import type { TracingContext } from '../../context.ts'
import type { AuditLogStore, StoredEntry } from './audit-log-store.ts'
import { detailsOf } from './details-of.ts'

export interface AuditDeps {
  auditLog: AuditLogStore
  clock: () => Micros
  newId: () => string
  log: ServiceLog | undefined
}

type Input = Readonly<Record<string, unknown>>
type Handler = (input: Input, context: TracingContext) => Promise<unknown>
type Resources = Record<string, Record<string, Handler>>

/**
 * Wraps the handlers so that each audited request leaves an entry in the audit log. It is written before the change, so that no change lacks one, and
 * then gets its outcome, together with the webhook events. A request that may not use the project leaves none. On a full disk, where deletions free
 * space, the operation is logged instead.
 */
export function auditHandlers<All extends object>(handlers: All, deps: AuditDeps): All {
  const audited = Object.entries(handlers as Resources).map(([resource, operations]) => [
    resource,
    Object.fromEntries(
      Object.entries(operations).map(([name, handle]) => {
        const operation = operationOf(resource, name)
        return [name, isAudited(operation) ? withEntry({ name: `${resource}.${name}`, operation }, handle, deps) : handle]
      }),
    ),
  ])
  return Object.fromEntries(audited) as All
}

const operationOf = (resource: string, name: string) => (tracing as unknown as Record<string, Record<string, Operation>>)[resource]![name]!

function withEntry({ name, operation }: { name: string; operation: Operation }, handle: Handler, deps: AuditDeps): Handler {
  return async (input, context) => {
    const project = await context.open(projectIdOf(input))
    if (project.internalId === '' && operation.audit !== 'always') return handle(input, context)
    const entry = await writeEntry(project, { operation: name, input, context }, deps)
    if (entry === undefined) return handle(input, context)
    const [result] = await Promise.allSettled([handle(input, context)])
    const outcome = result.status === 'fulfilled' ? 'succeeded' : 'failed'
    await noteOutcome(project, { ...entry, outcome }, deps)
    if (result.status === 'rejected') throw result.reason
    return result.value
  }
}

interface AuditedRequest {
  operation: string
  input: Input
  context: TracingContext
}

/** Undefined where the disk is full. */
async function writeEntry(
  project: ProjectScope,
  { operation, input, context }: AuditedRequest,
  deps: AuditDeps,
): Promise<StoredEntry | undefined> {
  const { userId: user_id, keyId: key_id } = context.caller
  const [id, at] = [deps.newId(), deps.clock()]
  try {
    const entry = { id, operation, details: detailsOf(input), outcome: 'started' as const, user_id, key_id, at }
    await deps.auditLog.insert(project, entry)
    return entry
  } catch (error) {
    if (!(error instanceof StoreError) || error.kind !== 'full') throw error
    deps.log?.error({ operation }, 'no disk space for an entry of the audit log; the request continues')
    return undefined
  }
}

/** A completed change is reported as done, even if its outcome cannot be recorded: the entry remains `started`. */
async function noteOutcome(project: ProjectScope, entry: StoredEntry, deps: AuditDeps): Promise<void> {
  const { operation, outcome } = entry
  try {
    await deps.auditLog.setOutcome(project, entry)
  } catch (error) {
    deps.log?.error({ operation, err: error }, `an entry of the audit log could not be noted as ${outcome}`)
  }
}

/** Project of an audited operation: from one member, or from entity and name. */
const projectIdOf = ({ project_id, entity, project }: Input): string => String(project_id ?? `${String(entity)}/${String(project)}`)
