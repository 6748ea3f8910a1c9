import { columnNames, computedNames, type ColumnName } from './read/read-column.ts'
import { parsePath } from './parse-path.ts'
import { refuseField, refuseUnknownField } from './refuse-field.ts'

export type PayloadRoot = 'inputs' | 'output' | 'attributes' | 'summary'

/** The meaning of a call field path. */
export type CallField =
  /** A column, or a value computed from columns: typed, absent is NULL. */
  | { kind: 'column'; name: ColumnName }
  /** A value in a payload: text. */
  | { kind: 'payload'; root: PayloadRoot; segments: string[] }
  | FeedbackField
  /** Membership of annotation queues. */
  | { kind: 'queue' }

export interface FeedbackField {
  kind: 'feedback'
  /** Exact feedback type, `*` for any. */
  type: string
  part: 'payload' | 'runnable_ref' | 'trigger_ref'
  /** Path below `payload`; empty for the whole. */
  segments: string[]
}

const columns: ReadonlySet<string> = new Set(columnNames)
const computed: ReadonlySet<string> = new Set(computedNames)
const roots: ReadonlySet<string> = new Set(['inputs', 'output', 'attributes', 'summary'])
const wholeRoots: ReadonlyMap<string, PayloadRoot> = new Map([
  ['inputs_dump', 'inputs'],
  ['output_dump', 'output'],
  ['attributes_dump', 'attributes'],
  ['summary_dump', 'summary'],
])
const feedbackPath = /^feedback\.\[([^\]]+)\]\.(payload|runnable_ref|trigger_ref)(?:\.(.+))?$/s

/**
 * Resolves a field path.
 * @throws 422 if calls have no such field or it cannot be queried.
 */
export function resolveField(path: string): CallField {
  if (columns.has(path)) return { kind: 'column', name: path as ColumnName }
  const whole = wholeRoots.get(path)
  if (whole !== undefined) return { kind: 'payload', root: whole, segments: [] }
  if (path.startsWith('summary.weave.')) return resolveComputed(path.slice('summary.weave.'.length))
  if (path === 'feedback' || path.startsWith('feedback.')) return resolveFeedback(path)
  if (path === 'annotation_queue_items.queue_id') return { kind: 'queue' }
  const [root = '', ...segments] = parsePath(path)
  if (!roots.has(root)) throw refuseUnknownField(path)
  return { kind: 'payload', root: root as PayloadRoot, segments }
}

function resolveComputed(name: string): CallField {
  if (computed.has(name)) return { kind: 'column', name: `summary.weave.${name}` as ColumnName }
  throw refuseField(`Summary field '${name}' is not allowed. Supported fields are: ${computedNames.join(', ')}`)
}

function resolveFeedback(path: string): FeedbackField {
  const [, type, part, rest] = feedbackPath.exec(path) ?? []
  if (type === undefined || (part !== 'payload' && rest !== undefined)) {
    throw refuseField(
      `Invalid feedback field path: ${path}. Write feedback.[type].payload.path, feedback.[type].runnable_ref or feedback.[type].trigger_ref`,
    )
  }
  return { kind: 'feedback', type, part: part as FeedbackField['part'], segments: rest === undefined ? [] : parsePath(rest) }
}
