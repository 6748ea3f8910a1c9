import type { Call } from '@heddle/core-api/types'
import { trajectoryAttribute } from '@heddle/core-api/attributes'
import { isChoice, messageKey, valueKey } from '@heddle/core-api/histories'
import type { RecordedTrajectory } from '../../trajectory/recorded.ts'
import { attributeOf } from './call-attribute.ts'
import type { AttemptCalls } from './split-attempts.ts'
import { numberText, valueAt } from '@heddle/core-api/internal'

/**
 * How attempts at one task are grouped: by the recorded group, the row of a dataset, the messages before the first choice, or a value in the first
 * call of the attempt at a path such as `attributes.task` or `inputs.question`. Attributes are those of the call, or of its span.
 */
export type GroupBy = { by: 'recorded' | 'row' | 'prompt' } | { by: 'path'; path: string }

/** @throws RangeError for a text that names no grouping */
export function parseGroupBy(text: string): GroupBy {
  if (text === 'recorded' || text === 'row' || text === 'prompt') return { by: text }
  if (/^(attributes|inputs)\../.test(text)) return { by: 'path', path: text }
  throw new RangeError(
    `grouping must be recorded, row, prompt, or a path such as attributes.task or inputs.question, got ${JSON.stringify(text.slice(0, 100))}`,
  )
}

/** Undefined where the attempt has nothing to group it by. */
export function groupKeyOf({ root, calls }: AttemptCalls, trajectory: RecordedTrajectory, groupBy: GroupBy): string | undefined {
  switch (groupBy.by) {
    case 'recorded':
      return calls.map((call) => toKey(attributeOf(call, trajectoryAttribute.groupId))).find((key) => key !== undefined)
    case 'row':
      return rowOf(valueAt(root.inputs, 'example'))
    case 'prompt':
      return promptOf(trajectory)
    case 'path':
      return toKey(valueOf(root, groupBy.path))
  }
}

function valueOf(root: Call, path: string): unknown {
  const attribute = /^attributes\.(.+)$/s.exec(path)?.[1]
  return attribute === undefined ? valueAt(root, path) : attributeOf(root, attribute)
}

/** A reference ends in the digest of its row; a row that was not published is its own content. */
function rowOf(example: unknown): string | undefined {
  return typeof example === 'string' ? (/\/attr\/rows\/id\/([^/]+)$/.exec(example)?.[1] ?? toKey(example)) : toKey(example)
}

function promptOf({ messages_and_choices: elements, tools }: RecordedTrajectory): string {
  const first = elements.findIndex((element) => isChoice(element) || element['role'] === 'assistant')
  const prompt = first === -1 ? elements : elements.slice(0, first)
  return valueKey([prompt.map((message) => messageKey(message)), tools])
}

function toKey(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  return typeof value === 'string' ? value : (numberText(value) ?? valueKey(value))
}
