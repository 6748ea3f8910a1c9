import { badRequest } from '@heddle/core-api/internal'
import type { Caller, ProjectScope } from '@heddle/identity'
import type { ArtifactUploads } from './artifact-uploads.ts'
import type { RunDocuments } from './runs/run-documents.ts'

/** A request for a document, with the context that its answer needs. */
export interface DocumentRequest {
  variables: Record<string, unknown>
  caller: Caller
  /** Address at which the client reaches this server, without a slash at the end. */
  serverUrl: string
  open: (effect: 'read' | 'write', projectId: string) => Promise<ProjectScope>
  openUploads: ArtifactUploads['open']
  runs: RunDocuments
}

export type Answer = (request: DocumentRequest) => Record<string, unknown> | Promise<Record<string, unknown>>

/** Values of one list of a request. */
const maxListed = 100

export function projectIdOf({ variables, caller }: Pick<DocumentRequest, 'variables' | 'caller'>): string {
  const entity = textOf(variables['entityName']) || textOf(variables['entity']) || caller.entity
  return `${entity}/${textOf(variables['projectName']) || textOf(variables['project'])}`
}

export function listOf(value: unknown, name: string): readonly unknown[] {
  const list = Array.isArray(value) ? (value as unknown[]) : []
  if (list.length > maxListed) throw badRequest(`${name} has ${list.length} values; a request may have at most ${maxListed}`)
  return list
}

export const objectOf = (value: unknown) => (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
export const countOf = (value: unknown) => (Number.isSafeInteger(value) ? Number(value) : undefined)
export const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
