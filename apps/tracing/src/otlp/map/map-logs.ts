import type { Micros } from '@heddle/core-api'
import { badRequest } from '@heddle/core-api/internal'
import { maskSecrets } from '../../payload/mask-secrets.ts'
import { parseAttributeText } from '../decode/parse-attribute-text.ts'
import { createExpansion, type Expansion, expandAttributes } from '../expand-attributes.ts'
import { isJsonObject, type JsonObject, type JsonValue, newObject, ownMember, parsed, textOf } from '../json-value.ts'
import type { DecodedLogs, LogRecord, ResourceLogs } from '../log-record.ts'
import { Rejections } from '../rejections.ts'
import { lookUp } from './attributes/look-up.ts'
import type { ExportHeaders } from './map-request.ts'
import type { MappingOptions } from './map-span.ts'
import { isProjectId, projectOfHeader, projectOfResource } from './project-of-resource.ts'
import { missingProject } from './missing-project.ts'

/**
 * The messages of one span that were sent as log records, in their order. Each has `role` and `time_unix_nano` in addition to the record's content.
 */
export interface SpanMessages {
  /** `entity/project`. */
  project: string
  /** Id of the span, and therefore of its call. */
  id: string
  trace_id: string
  /** Time of the newest record. */
  at: Micros
  /** Input of the model. */
  input: JsonObject[]
  /** Output of the model. */
  output: JsonObject[]
}

export interface MappedLogs {
  messages: SpanMessages[]
  /** Records that hold no message, or belong to no span or project. */
  rejections: Rejections
}

/** The role of the messages of an event, and on which side of the call they are. */
const messageEvents: ReadonlyMap<string, { role: string; side: 'input' | 'output' }> = new Map([
  ['gen_ai.system.message', { role: 'system', side: 'input' }],
  ['gen_ai.user.message', { role: 'user', side: 'input' }],
  ['gen_ai.assistant.message', { role: 'assistant', side: 'input' }],
  ['gen_ai.tool.message', { role: 'tool', side: 'input' }],
  ['gen_ai.choice', { role: 'assistant', side: 'output' }],
])
const detailsEvent = 'gen_ai.client.inference.operation.details'

const traceId = /^(?!0+$)[0-9a-f]{32}$/
const spanId = /^(?!0+$)[0-9a-f]{16}$/

/**
 * Maps the events of generative AI among log records to the messages of their spans.
 * @throws ApiError 400 when no resource that has records names a project
 */
export function mapLogs(request: DecodedLogs, headers: ExportHeaders, options: MappingOptions): MappedLogs {
  const rejections = new Rejections()
  const bySpan = new Map<string, SpanMessages>()
  const expansion = createExpansion()
  const headerProject = projectOfHeader(headers.project)
  const withRecords = request.resources.filter(({ records }) => records.length > 0)
  let withProject = 0
  for (const group of withRecords) {
    const project = projectOf(group, headerProject, expansion)
    if (project === undefined) {
      rejections.add(`Rejected ${group.records.length} log records: their resource has no project; ${missingProject}`, group.records.length)
      continue
    }
    withProject += 1
    for (const record of group.records) mapRecord(record, { project, bySpan, rejections, expansion, options })
  }
  if (withProject === 0 && withRecords.length > 0) throw badRequest(`no project: ${rejections.message}`)
  return { messages: [...bySpan.values()], rejections }
}

function projectOf({ resource }: ResourceLogs, headerProject: string | undefined, expansion: Expansion): string | undefined {
  const attributes = resource === null ? newObject() : expandAttributes(resource.attributes, 'keep', expansion)
  const project = projectOfResource(attributes) ?? headerProject
  return project !== undefined && isProjectId(project) ? project : undefined
}

interface Target {
  project: string
  bySpan: Map<string, SpanMessages>
  rejections: Rejections
  expansion: Expansion
  options: MappingOptions
}

function mapRecord(record: LogRecord, { project, bySpan, rejections, expansion, options }: Target): void {
  const attributes = expandAttributes(record.attributes, 'keep', expansion)
  const name = record.eventName || eventNameOf(attributes)
  const { body } = record
  const found = messagesOf(name, parsed(typeof body === 'string' ? parseAttributeText(body, expansion.texts) : body), attributes)
  if (found === undefined) return rejections.add(notOfGenerativeAi, 1)
  if (!traceId.test(record.traceId) || !spanId.test(record.spanId))
    return rejections.add(`Rejected a log record "${name}": it names no span, so it belongs to no call`, 1)
  const key = `${project}\0${record.spanId}`
  const messages = bySpan.get(key) ?? { project, id: record.spanId, trace_id: record.traceId, at: 0, input: [], output: [] }
  bySpan.set(key, messages)
  messages.at = Math.max(messages.at, Number(record.timeNs / 1_000n))
  const mask = options.maskSecrets ? maskSecrets : <T>(value: T): T => value
  messages.input.push(...found.input.map((message) => mask(withTime(message, record))))
  messages.output.push(...found.output.map((message) => withTime(message, record)))
}

const notOfGenerativeAi =
  'Rejected a log record: only events of generative AI (gen_ai.*.message, gen_ai.choice, their details) are stored, with the call of their span'

function eventNameOf(attributes: JsonObject): string {
  const name = lookUp(attributes, ['event', 'name'])
  return name === undefined || name === null ? '' : textOf(name)
}

type Sides = Pick<SpanMessages, 'input' | 'output'>

/** Undefined for a record without messages. */
function messagesOf(name: string, body: JsonValue, attributes: JsonObject): Sides | undefined {
  const event = messageEvents.get(name)
  if (event !== undefined) {
    const message = withRole(body, event.role)
    return event.side === 'input' ? { input: [message], output: [] } : { input: [], output: [message] }
  }
  if (name !== detailsEvent) return undefined
  const listAt = (...path: string[]) => messagesIn(lookUp(attributes, ['gen_ai', ...path]) ?? memberOf(body, `gen_ai.${path.join('.')}`))
  const instructions = lookUp(attributes, ['gen_ai', 'system_instructions']) ?? memberOf(body, 'gen_ai.system_instructions')
  const system = instructions === undefined || instructions === null ? [] : [withRole({ parts: instructions }, 'system')]
  return { input: [...system, ...listAt('input', 'messages')], output: listAt('output', 'messages') }
}

const memberOf = (body: JsonValue, name: string) => (isJsonObject(body) ? ownMember(body, name) : undefined)

function messagesIn(value: JsonValue | undefined): JsonObject[] {
  const list = value === undefined ? [] : parsed(value)
  return Array.isArray(list) ? list.map((message) => withRole(parsed(message), 'user')) : []
}

/** A message as an object; a text, or any other value, is its content. Its own role counts. */
function withRole(value: JsonValue, role: string): JsonObject {
  const message = newObject()
  message['role'] = role
  if (isJsonObject(value)) for (const key of Object.keys(value)) message[key] = value[key] as JsonValue
  else message['content'] = value
  return message
}

/** Exports are repeated and split: the time orders messages, and distinguishes a repeated record from a repeated message. */
function withTime(message: JsonObject, { timeNs }: LogRecord): JsonObject {
  const timed = newObject()
  for (const key of Object.keys(message)) timed[key] = message[key] as JsonValue
  timed['time_unix_nano'] = String(timeNs)
  return timed
}
