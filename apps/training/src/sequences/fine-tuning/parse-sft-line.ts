import { stringifyJson } from '@heddle/json'
import { plainNumber } from '../../json-text/plain-number.ts'
import { readMessages, readObject, readTools, refuseLine } from './data-line.ts'
import { readLearnedTurns } from './learned-turns.ts'
import type { SftConversation } from './sft-example.ts'

/**
 * A line of training data: an object with `messages`, the last of the assistant, and perhaps `tools` (or the older `functions`). Messages of the
 * assistant are context if `weight`, `train` or `loss_mask` exclude them; other keys are ignored. Null for a blank line.
 * @throws TrainingInputError that names the line and the reason
 */
export function parseSftLine(line: string, lineNumber: number): (SftConversation & { isMaskIgnored: boolean }) | null {
  if (line.trim() === '') return null
  const refuse = refuseLine(lineNumber)
  const value = readObject(line, refuse)
  const { loss_mask: lossMask, weight } = value
  const messages = readMessages(value['messages'], 'messages', refuse)
  const last = messages.at(-1)!
  if (last.role !== 'assistant') return refuse(`ends with a message of role "${last.role}"; the last must be of the assistant`)
  if (weight !== undefined && weight !== null && plainNumber(weight) !== 1)
    return refuse(`has a \`weight\` of ${stringifyJson(weight)}; lines count alike, and messages alone have a weight, of 0 or 1`)
  const { unlearned, isMaskIgnored } = readLearnedTurns(messages, { lossMask, refuse })
  return {
    messages,
    tools: readTools(value, refuse),
    ...(unlearned.size > 0 && { unlearned }),
    isMaskIgnored,
  }
}
