import type { Feedback } from '@heddle/core-api/types'
import { memberOf } from '@heddle/core-api/internal'

/** A score or reaction from a user or a scorer, as a short mark on the call's row. */
export type RowScore = { kind: 'score'; name: string; value: number | boolean | string } | { kind: 'reaction'; emoji: string }

const maxCharacters = 20

/** A score or a reaction; undefined for anything else, such as a note. */
export function rowScoreOf({ feedback_type, payload }: Pick<Feedback, 'feedback_type' | 'payload'>): RowScore | undefined {
  const type = String(feedback_type)
  if (type.startsWith('wandb.reaction.')) {
    const emoji = memberOf(payload, 'emoji')
    return typeof emoji === 'string' && emoji.length <= maxCharacters ? { kind: 'reaction', emoji } : undefined
  }
  const [, name] = /^wandb\.(?:runnable|annotation)\.(.+)$/.exec(type) ?? []
  if (name === undefined) return undefined
  const said = memberOf(payload, 'output') ?? memberOf(payload, 'value')
  if (isShort(said)) return { kind: 'score', name, value: said }
  const [inner] = typeof said === 'object' && said !== null ? Object.entries(said).filter(([, one]) => isShort(one)) : []
  return inner && { kind: 'score', name: `${name}.${inner[0]}`, value: inner[1] as number | boolean | string }
}

const isShort = (value: unknown): value is number | boolean | string =>
  typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && value.length <= maxCharacters)
