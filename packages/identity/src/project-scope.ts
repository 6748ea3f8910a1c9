import type { WorkScope } from '@heddle/datastore'

declare const opened: unique symbol

/**
 * A project that the caller may use for what it is about to do. Only `Context.open` makes one, and stores take nothing else,
 * so a request cannot reach a project that its key may not see. It is of one request: what the stores do with it ends when the client leaves.
 */
export interface ProjectScope extends WorkScope {
  readonly [opened]: true
  /** `entity/project`, as in rows and on the wire. */
  readonly id: string
  /** Opaque and stable for the life of the project; no slash in it. Empty while nothing has been written to the project. */
  readonly internalId: string
  readonly entity: string
  readonly name: string
}

/** Marks a project as opened. For `identity.ts` alone, after the check. */
export function openedScope(project: Omit<ProjectScope, typeof opened>): ProjectScope {
  return Object.freeze(project) as ProjectScope
}
