import { roles } from '../../../features/playground/draft/draft-message.ts'
import { type Draft, parameterNames } from '../../../features/playground/draft/draft.ts'
import { maxVariants } from '../../../features/playground/draft/variants.ts'

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem'>
const version = 1
const keyOf = (project: string, call: string | undefined) => `heddle.playground.${version}:${project}:${call ?? ''}`

/** The user's input from before the page was left or reloaded. Undefined if nothing readable is stored. */
export function readDraft(storage: Storage, project: string, call: string | undefined): Draft | undefined {
  try {
    const stored: unknown = JSON.parse(storage.getItem(keyOf(project, call)) ?? 'null')
    return isDraft(stored) ? stored : undefined
  } catch {
    return undefined
  }
}

/** False where the browser keeps nothing, or this is too much for it. */
export function keepDraft(storage: Storage, project: string, call: string | undefined, draft: Draft): boolean {
  try {
    storage.setItem(keyOf(project, call), JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isText = (value: unknown) => typeof value === 'string'
const isTextOrAbsent = (value: unknown) => value === undefined || isText(value)

function isDraft(value: unknown): value is Draft {
  if (!isObject(value) || !isText(value['tools'])) return false
  const { messages, parameters } = value
  const { own = {}, variables = {} } = value
  if (!isObject(own) || !Object.values(own).every((list) => Array.isArray(list) && list.every(isMessage))) return false
  if (!isObject(variables) || !Object.values(variables).every(isText)) return false
  if (!Array.isArray(messages) || !Array.isArray(parameters) || parameters.length > maxVariants) return false
  return messages.every(isMessage) && parameters.every((one) => isObject(one) && parameterNames.every((name) => isText(one[name])))
}

function isMessage(value: unknown): boolean {
  if (!isObject(value) || !isText(value['content'])) return false
  return roles.some((role) => role === value['role']) && isTextOrAbsent(value['toolCalls']) && isTextOrAbsent(value['toolCallId'])
}
