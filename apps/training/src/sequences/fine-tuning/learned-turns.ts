import { stringifyJson } from '@heddle/json'
import { plainNumber } from '../../json-text/plain-number.ts'
import type { ChatMessage } from '../trajectory.ts'

import type { Refuse } from './data-line.ts'

/** A line's data about which turns are learned, besides its messages. */
export interface LineMask {
  /** A number for each message in some formats. */
  lossMask: unknown
  refuse: Refuse
}

export interface LearnedTurns {
  /** Messages of the assistant that are context. */
  unlearned: ReadonlySet<number>
  /** Whether the line has a `loss_mask` that does not apply to its messages. */
  isMaskIgnored: boolean
}

/** Fields by which formats decide whether a message is learned. */
const fields = ['weight', 'train', 'training', 'loss_mask'] as const

/** Which messages of the assistant are only context: those with `weight` 0, `train` false, or `loss_mask` 0 of the message or of the line. */
export function readLearnedTurns(messages: readonly ChatMessage[], { lossMask, refuse }: LineMask): LearnedTurns {
  const ofLine = readLineMask(lossMask, messages.length)
  const unlearned = new Set<number>()
  for (const [index, message] of messages.entries()) {
    const said = fields.flatMap((field) => {
      const value = readFlag(message[field])
      if (value === 'unknown')
        refuse(
          `has \`${field}\` ${stringifyJson(message[field])} in its message ${index}; a message is learned (1, true) or not (0, false)`,
        )
      return value === null ? [] : [{ field, value }]
    })
    if (new Set(said.map(({ value }) => value)).size > 1)
      refuse(`has ${said.map(({ field }) => `\`${field}\``).join(' and ')} in its message ${index}, which contradict each other`)
    const isLearned = said[0]?.value ?? ofLine?.[index] ?? null
    if (message.role === 'assistant' && isLearned === false) unlearned.add(index)
    if (message.role !== 'assistant' && said[0]?.value === true)
      refuse(`has \`${said[0].field}\` on its message ${index} of role "${message.role}"; messages of the assistant alone are learned`)
  }
  return { unlearned, isMaskIgnored: lossMask != null && ofLine === null }
}

function readFlag(given: unknown): boolean | null | 'unknown' {
  const value = plainNumber(given)
  if (value === null || value === undefined) return null
  if (value === true || value === 1) return true
  return value === false || value === 0 ? false : 'unknown'
}

/** Null for a list that is not one flag per message, such as one per token of another tokenizer. */
function readLineMask(value: unknown, messages: number): boolean[] | null {
  if (!Array.isArray(value) || value.length !== messages) return null
  const flags = value.map(readFlag)
  return flags.every((flag) => typeof flag === 'boolean') ? flags : null
}
