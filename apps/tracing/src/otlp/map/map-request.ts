import { badRequest } from '@heddle/core-api/internal'
import { writeJson } from '@heddle/json'
import { maskSecrets } from '../../payload/mask-secrets.ts'
import { createExpansion, type Expansion } from '../expand-attributes.ts'
import { isJsonObject, type JsonObject, newObject, ownMember } from '../json-value.ts'
import { type MappedSpan, type MappingOptions, mapSpan, type SpanContext } from './map-span.ts'
import { isProjectId, projectOfHeader, projectOfResource, runOfResource } from './project-of-resource.ts'
import { toRawResource, writeRawOrigin } from '../raw-span.ts'
import { Rejections } from '../rejections.ts'
import { toRunId } from './fields/service-attributes.ts'
import type { DecodedRequest, ResourceSpans } from '../span.ts'
import { missingProject } from './missing-project.ts'

/** Values of an export request's headers. */
export interface ExportHeaders {
  /** `project_id` (or `project-id`): `entity/project` for resources that name none. */
  project: string | undefined
  /** `wb_run_id`: a run name, or `entity/project/run`. */
  run: string | undefined
}

export interface MappedRequest {
  /** In the order of the request. */
  calls: MappedSpan[]
  /** The caller adds its own rejections, such as projects without access. */
  rejections: Rejections
}

/** The shared data of a request's resources. */
interface MappingContext {
  options: MappingOptions
  headerProject: string | undefined
  headerRun: string | undefined
  opIds: Map<string, string>
  expansion: Expansion
}

/**
 * Maps all spans of a request. Spans of a resource without project are refused.
 * @throws ApiError 400 when no resource that has spans names a project
 */
export function mapRequest(request: DecodedRequest, headers: ExportHeaders, options: MappingOptions): MappedRequest {
  const result: MappedRequest = { calls: [], rejections: new Rejections() }
  const shared: MappingContext = {
    options,
    headerProject: projectOfHeader(headers.project),
    headerRun: headers.run,
    opIds: new Map(),
    expansion: createExpansion(),
  }
  let withProject = 0
  let withoutProject = 0
  for (const group of request.resources) {
    const spans = countSpans(group)
    if (spans === 0) continue
    if (mapResource(group, shared, result)) withProject += 1
    else withoutProject += 1
  }
  if (withProject === 0 && withoutProject > 0) throw badRequest(`no project: ${result.rejections.message}`)
  if (request.replacedTexts > 0) {
    result.rejections.add(`${request.replacedTexts} texts were not valid UTF-8; what could not be read was replaced by U+FFFD`, 0)
  }
  return result
}

/** False if the spans were refused because the project is missing. */
function mapResource(group: ResourceSpans, shared: MappingContext, result: MappedRequest): boolean {
  const { options, opIds, expansion } = shared
  const raw = group.resource && toRawResource(group.resource, expansion)
  const attributes = attributesOf(raw)
  const project = projectOfResource(attributes) ?? shared.headerProject
  if (project === undefined || !isProjectId(project)) {
    const problem = project === undefined ? 'their resource has no project' : `"${project}" is not a project, which is <entity>/<project>`
    const spans = countSpans(group)
    result.rejections.add(`Rejected ${spans} ${spans === 1 ? 'span' : 'spans'}: ${problem}; ${missingProject}`, spans)
    return false
  }
  const shown = options.maskSecrets ? maskSecrets(raw) : raw
  const resource = shown === null ? undefined : shown['attributes']
  const resourceText = writeJson(shown)
  const requestRun = toRequestRun(shared.headerRun ?? runOfResource(attributes), project)
  for (const { scope, spans } of group.scopes) {
    const context: SpanContext = { project, requestRun, resource, origin: writeRawOrigin(resourceText, scope), opIds, expansion }
    for (const span of spans) {
      const mapped = mapSpan(span, context, options)
      if ('rejected' in mapped) result.rejections.add(mapped.reason, 1)
      else result.calls.push(mapped)
    }
  }
  return true
}

function attributesOf(resource: JsonObject | null): JsonObject {
  const attributes = resource ? ownMember(resource, 'attributes') : undefined
  return isJsonObject(attributes) ? attributes : newObject()
}

/** A run of the request as `entity/project/run`; one that is already in that form is unchanged. */
function toRequestRun(run: string | undefined, project: string): string | undefined {
  if (run === undefined) return undefined
  return /^[^/:]+\/[^/:]+\/[^/:]+$/.test(run) ? run : toRunId(run, project)
}

function countSpans(group: ResourceSpans): number {
  let count = 0
  for (const { spans } of group.scopes) count += spans.length
  return count
}
