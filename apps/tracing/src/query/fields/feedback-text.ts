import { badRequest, refScheme } from '@heddle/core-api/internal'
import { bind, join, sql, type Sql } from '@heddle/datastore'
import type { Operand } from '../compile/operands/operand.ts'
import { feedbackNotHidden, type HiddenRecords } from '../visible-records.ts'
import { payloadText } from './payload-text.ts'
import type { FeedbackField } from './resolve-field.ts'

const maxJoins = 20

/** Types of which a call usually has several: any of them may match. */
const repeatingTypes: ReadonlySet<string> = new Set(['wandb.reaction.1', 'wandb.note.1', 'wandb.agent_user_feedback'])

/** Reads feedback fields of calls. Each distinct field becomes one join of the statement. */
export interface FeedbackJoins {
  /**
   * Calls without such feedback read as empty text, or as an empty list for the repeating types.
   * @throws 400 beyond 20 fields.
   */
  read(field: FeedbackField): Operand
  joins(hidden: HiddenRecords): Sql[]
}

export function createFeedbackJoins(projectId: string): FeedbackJoins {
  const joined = new Map<string, FeedbackField>()
  return {
    read(field) {
      const name = JSON.stringify([field.type, field.part, ...field.segments])
      if (!joined.has(name)) joined.set(name, field)
      if (joined.size > maxJoins) throw badRequest(`The query reads more than ${maxJoins} fields of feedback: ask for fewer`)
      return operandOf(field, valueAt([...joined.keys()].indexOf(name)))
    },
    joins: (hidden) => [...joined.values()].map((field, at) => joinFeedback({ projectId, at, field, hidden })),
  }
}

function operandOf({ type }: FeedbackField, value: Sql): Operand {
  if (repeatingTypes.has(type)) return { kind: 'texts', sql: value }
  return {
    kind: 'value',
    type: 'text',
    sql: value,
    present: sql`(${value} != '')`,
    isField: true,
    takesTypeOfLiteral: type !== '*',
    order: 'dynamic',
  }
}

function valueAt(at: number): Sql {
  return sql`${bind('Identifier', `feedback_${at}`)}`
}

function joinFeedback({
  projectId,
  at,
  field,
  hidden,
}: {
  projectId: string
  at: number
  field: FeedbackField
  hidden: HiddenRecords
}): Sql {
  const call = bind('Identifier', `feedback_call_${at}`)
  const prefix = `${refScheme}${projectId}/call/`
  const id = sql`substring(weave_ref, ${bind('UInt64', Buffer.byteLength(prefix) + 1)})`
  const ofType = field.type === '*' ? sql`` : sql` AND feedback_type = ${bind('String', field.type)}`
  // The text is a long expression and used several times, so a subquery names it.
  const texts = sql`SELECT weave_ref, created_at, id, ${textOf(field)} AS text FROM heddle.feedback FINAL
    WHERE ${join([sql`project_id = ${bind('String', projectId)}`, ...feedbackNotHidden(projectId, hidden)], sql` AND `)} AND startsWith(weave_ref, ${bind('String', prefix)})${ofType}`
  const values = sql`SELECT ${id} AS ${call}, ${valueOf(field)} AS ${valueAt(at)} FROM (${texts}) GROUP BY ${call}`
  return sql` LEFT ANY JOIN (${values}) AS ${bind('Identifier', `feedback_of_${at}`)} ON ${call} = id`
}

/** The result of the texts of one call: the newest of a type, the first non-empty one of any type, all non-empty ones of a repeating type. */
function valueOf({ type }: FeedbackField): Sql {
  if (repeatingTypes.has(type)) return sql`arrayMap(t -> t.3, arrayReverseSort(groupArrayIf((created_at, id, text), text != '')))`
  return type === '*' ? sql`argMinIf(text, (created_at, id), text != '')` : sql`argMax(text, (created_at, id))`
}

function textOf({ part, segments }: FeedbackField): Sql {
  switch (part) {
    case 'payload':
      return sql`ifNull(${payloadText(sql`payload`, segments)}, '')`
    case 'runnable_ref':
      return sql`runnable_ref`
    case 'trigger_ref':
      return sql`trigger_ref`
  }
}
