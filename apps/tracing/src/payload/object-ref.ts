import { formatRef } from '@heddle/core-api'
import type { ProjectScope } from '@heddle/identity'

interface Version {
  /** Default: `object`. */
  kind?: 'object' | 'op'
  object_id: string
  digest: string
}

/** The reference to a version of an object or op, in its external form. */
export function objectRef({ entity, name: project }: ProjectScope, { kind = 'object', object_id: name, digest }: Version): string {
  return formatRef({ kind, entity, project, name, digest, edges: [] })
}
