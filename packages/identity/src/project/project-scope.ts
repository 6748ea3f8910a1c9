import type { WorkScope } from '@heddle/datastore'

declare const opened: unique symbol

/**
 * A project that the caller is authorised to use for the current operation. Only `Context.open` creates one, and stores accept nothing else,
 * so a request cannot reach a project that its key may not access. It belongs to one request: its store calls end when the client disconnects.
 */
export interface ProjectScope extends WorkScope {
  readonly [opened]: true
  /** `entity/project`, as in rows and on the wire. */
  readonly id: string
  /** Opaque, without a slash, and stable for the life of the project. Empty until something is written to the project. */
  readonly internalId: string
  readonly entity: string
  readonly name: string
}

/** Marks a project as opened. Only for `identity.ts`, after the permission check. */
export function openedScope(project: Omit<ProjectScope, typeof opened>): ProjectScope {
  return Object.freeze(project) as ProjectScope
}
