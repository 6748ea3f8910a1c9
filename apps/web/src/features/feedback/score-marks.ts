import type { Feedback } from '@heddle/core-api/types'
import { memberOf } from '@heddle/core-api/internal'

/** Short text of a feedback for a mark on a row: a reaction, or the name of a score with its value. Undefined for anything else, such as a note. */
export function scoreMark({ feedback_type, payload }: Pick<Feedback, 'feedback_type' | 'payload'>): string | undefined {
  const type = String(feedback_type)
  if (type.startsWith('wandb.reaction.')) return textOf(memberOf(payload, 'emoji'))
  if (!type.startsWith('wandb.')) return ownMark(type, payload)
  const [, name] = /^wandb\.(?:runnable|annotation)\.(.+)$/.exec(type) ?? []
  if (name === undefined) return undefined
  const value = memberOf(payload, 'output') ?? memberOf(payload, 'value')
  const inner = typeof value === 'object' && value !== null ? Object.entries(value).find(([, one]) => isShort(one)) : undefined
  return inner ? `${name}.${inner[0]} ${textOf(inner[1])}` : isShort(value) ? `${name} ${textOf(value)}` : name
}

/** Mark of a custom type: with its value, if its payload has one member. */
function ownMark(type: string, payload: unknown): string | undefined {
  const [only, ...others] = Object.values(payload ?? {})
  return others.length === 0 && isShort(only) ? `${type} ${textOf(only)}` : undefined
}

const maxCharacters = 20
const isShort = (value: unknown) =>
  typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && value.length <= maxCharacters)

function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? '✓' : '✗'
  return typeof value === 'number' ? String(Number(value.toPrecision(3))) : String(value)
}
