import { maxIdentifierLength } from '@heddle/core-api/internal'
import { JsonNumber } from '@heddle/json'
import { isJsonObject, type JsonObject, type JsonValue, ownMember, textOf } from '../../json-value.ts'
import { toStoredId } from '../../../payload/stored-id.ts'
import { isTruthy, lookUp } from '../attributes/look-up.ts'
import { NameTable } from '../attributes/name-table.ts'
import { shortenName } from './shorten-name.ts'

const threadNames = [
  'gen_ai.conversation.id',
  'gcp.vertex.agent.session_id',
  'wandb.thread_id',
  'session.id',
  'langfuse.session.id',
  'ai.telemetry.metadata.sessionId',
  'ai.telemetry.metadata.threadId',
  'traceloop.association.properties.session_id',
  'mlflow.trace.session',
  'conversation.id',
]
const names = new NameTable({
  thread: threadNames,
  /** Unlike the plain thread id, they make the outermost span of a trace a turn. */
  conversation: threadNames.filter((name) => name !== 'wandb.thread_id'),
})
const turnPath = ['wandb', 'is_turn']
/** The first one counts that has a value. Spans of n8n all have the same names. */
const displayNamePaths = [
  ['wandb', 'display_name'],
  ['n8n', 'node', 'name'],
  ['n8n', 'workflow', 'name'],
]
const runPath = ['wandb', 'wb_run_id']
const stepPath = ['wandb', 'wb_run_step']
const lastStepPath = ['wandb', 'wb_run_step_end']
const displayNameLength = 1024

/** Longer names are shortened to 1024 characters. Null if there is none. */
export function mapDisplayName(attributes: JsonObject): string | null {
  const value = displayNamePaths.map((path) => lookUp(attributes, path)).find((found) => found !== undefined && isTruthy(found))
  if (value === undefined) return null
  return shortenName(textOf(value), { maxLength: displayNameLength, suffix: '...', keepsDelimiter: true })
}

export interface ThreadOfSpan {
  thread_id: string | null
  /** The span's own id where it is a turn of the thread. */
  turn_id: string | null
}

/**
 * The conversation of a span, its id shortened by `toStoredId`. `wandb.is_turn` decides whether the span is a turn; without it, a conversation name
 * makes a span without parent one, since emitters put that name on every span.
 */
export function mapThread(attributes: JsonObject, span: { id: string; parent_id: string | null }): ThreadOfSpan {
  const { thread, conversation } = names.find(attributes)
  const named = thread?.value ?? conversationOfLibrary(attributes)
  if (named === undefined) return { thread_id: null, turn_id: null }
  const isTurn = toFlag(lookUp(attributes, turnPath)) ?? (span.parent_id === null && (conversation !== undefined || thread === undefined))
  return { thread_id: toStoredId(textOf(named)), turn_id: isTurn ? span.id : null }
}

/** Libraries put the name of a conversation below their own: `<library>.conversation_id`. Undefined where none does. */
function conversationOfLibrary(attributes: JsonObject): JsonValue | undefined {
  for (const key of Object.keys(attributes)) {
    const below = attributes[key]
    const value = isJsonObject(below) ? ownMember(below, 'conversation_id') : undefined
    if (value !== undefined && isTruthy(value) && typeof value !== 'object') return value
  }
  return undefined
}

/** Undefined when the value decides nothing. */
function toFlag(value: JsonValue | undefined): boolean | undefined {
  if (value === false || value === true) return value
  if (typeof value === 'string' && /^(?:true|false)$/i.test(value)) return value.toLowerCase() === 'true'
  return value !== undefined && isTruthy(value) ? true : undefined
}

export interface RunOfSpan {
  /** `entity/project/run`. */
  wb_run_id: string | null
  wb_run_step: number | null
  wb_run_step_end: number | null
}

/** The training run of a span: that of its request or resource, else the one that the span names. */
export function mapRun(attributes: JsonObject, project: string, requestRun: string | undefined): RunOfSpan {
  const named = lookUp(attributes, runPath)
  const own = named !== undefined && isTruthy(named) ? toRunId(textOf(named), project) : undefined
  return {
    wb_run_id: requestRun ?? own ?? null,
    wb_run_step: toStep(lookUp(attributes, stepPath)),
    wb_run_step_end: toStep(lookUp(attributes, lastStepPath)),
  }
}

/** A run name as `entity/project/run`; undefined when it holds `/` or `:`, is empty or has more than 1,024 characters. */
export function toRunId(name: string, project: string): string | undefined {
  return name === '' || name.length > maxIdentifierLength || /[/:]/.test(name) ? undefined : `${project}/${name}`
}

function toStep(value: JsonValue | undefined): number | null {
  const text = typeof value === 'number' || value instanceof JsonNumber || typeof value === 'string' ? textOf(value) : ''
  const step = /^\d{1,16}(?:\.0+)?$/.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(step) ? step : null
}
