import type { Operation } from '@heddle/core-api'

/** Writes that a project should be able to look up, although writers may make them. */
const auditedWrites: ReadonlySet<string> = new Set([
  'annotationQueues.reopenItem',
  'costs.create',
  'objects.setAliases',
  'sharedTraces.create',
  'sharedTraces.delete',
  'objects.removeAliases',
])
/** They change nothing: what they tell is for administrators. */
const readsOfAdministrators: ReadonlySet<string> = new Set([
  'projectKeys.query',
  'projectKeys.queryMade',
  'auditLog.query',
  'webhooks.list',
])

/** Whether requests of an operation, such as `costs.purge`, leave an entry in the audit log. */
export function isAudited(name: string, { effect }: Pick<Operation, 'effect'>): boolean {
  return effect === 'destroy' ? !readsOfAdministrators.has(name) : auditedWrites.has(name)
}
