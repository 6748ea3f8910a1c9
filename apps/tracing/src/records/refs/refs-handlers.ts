import { type Handlers, parseRef, type tracing } from '@heddle/core-api'
import { badRequest, JsonText, notFound } from '@heddle/core-api/internal'
import type { Context } from '@heddle/identity'
import { stringifyJson } from '@heddle/json'
import type { RefProjectsFor } from '../../payload/ref-projects.ts'
import { hidePrivateRefs, toExternalRef } from '../../payload/rewrite-refs.ts'
import type { ResolvedRef, ResolveRefs } from './resolve-refs.ts'

interface RefsDeps {
  resolveRefs: ResolveRefs
  refProjects: RefProjectsFor
}

export function refsHandlers({ resolveRefs, refProjects }: RefsDeps): Handlers<typeof tracing.refs, Context> {
  /** Values of the references of one project as JSON texts, by reference. */
  async function readProject(projectId: string, refs: readonly string[], context: Context): Promise<Map<string, ResolvedRef>> {
    const project = await context.open(projectId)
    const { maySee } = refProjects(project, context)
    const shown = new Map<string, ResolvedRef>()
    for (const [ref, resolved] of await resolveRefs(project, refs)) {
      const isFound = resolved.status === 'found'
      const value = isFound ? new JsonText(await hidePrivateRefs(stringifyJson(resolved.value), project.id, maySee)) : null
      shown.set(ref, isFound ? { status: 'found', value } : resolved)
    }
    return shown
  }

  return {
    async readBatch({ refs }, context) {
      const projects = refProjects(undefined, context)
      const wanted = await Promise.all(refs.map((ref) => toExternalRef(ref, projects)))
      const resolved = new Map<string, ResolvedRef>()
      for (const [projectId, some] of byProject(wanted)) {
        for (const [ref, result] of await readProject(projectId, some, context)) resolved.set(ref, result)
      }
      refuseUnknown(resolved)
      return { vals: wanted.map((ref) => toValue(resolved.get(ref))) }
    },
  }
}

/** References by project, each once. @throws 400 for a text that is none. */
function byProject(refs: readonly string[]): Map<string, string[]> {
  const projects = new Map<string, string[]>()
  for (const text of new Set(refs)) {
    const ref = parseRef(text)
    if (ref === undefined) throw badRequest(`Invalid ref: ${text.slice(0, 500)}`)
    const projectId = `${ref.entity}/${ref.project}`
    const same = projects.get(projectId)
    if (same === undefined) projects.set(projectId, [text])
    else same.push(text)
  }
  return projects
}

function refuseUnknown(resolved: ReadonlyMap<string, ResolvedRef>): void {
  const unknown = [...resolved.values()].flatMap((result) => (result.status === 'unknown' ? [result] : []))
  const digestsOf = (kind: 'object' | 'row') => [...new Set(unknown.flatMap((one) => (one.kind === kind ? [one.digest] : [])))].sort()
  const [missing, rows] = [digestsOf('object'), digestsOf('row')]
  if (missing.length > 0) throw notFound(`Objects not found: ${missing.join(', ')}`, { missing_object_digests: missing })
  if (rows.length > 0) throw notFound(`Rows not found: ${rows.join(', ')}`)
}

function toValue(result: ResolvedRef | undefined): unknown {
  if (result?.status === 'invalid') throw badRequest(result.reason)
  return result?.status === 'found' ? result.value : null
}
