import { sql, type Sql } from '@heddle/datastore'
import type { Operand } from './operand.ts'
import type { FeedbackField } from './resolve-field.ts'

/** Types of which a call usually has several: any of them may match. */
const repeatingTypes: ReadonlySet<string> = new Set(['wandb.reaction.1', 'wandb.note.1', 'wandb.agent_user_feedback'])

/** Reads a feedback field of a call. Calls without such feedback read as empty text, or as an empty list for the repeating types. */
export function readFeedback(field: FeedbackField): Operand {
  if (repeatingTypes.has(field.type)) return { kind: 'texts', sql: feedbackTexts(field) }
  const text = feedbackText(field)
  return {
    kind: 'value',
    type: 'text',
    sql: text,
    present: sql`(${text} != '')`,
    isField: true,
    takesTypeOfLiteral: field.type !== '*',
    order: 'dynamic',
  }
}

/** The text of the newest feedback of a type, of the first non-empty one for `*`. No feedback is stored, so it is empty. */
function feedbackText(_field: FeedbackField): Sql {
  return sql`''`
}

/** The non-empty texts of all feedback of a type. No feedback is stored, so there are none. */
function feedbackTexts(_field: FeedbackField): Sql {
  return sql`CAST([] AS Array(String))`
}
