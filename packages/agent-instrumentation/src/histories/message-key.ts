import type { Message } from './chat.ts'

/**
 * A text that two messages share exactly when they mean the same. Clients send a choice back with other empty fields than it had (`refusal: null`,
 * `content: ""`), and write keys in any order.
 */
export function messageKey(message: Message): string {
  return JSON.stringify(withoutEmpty(message))
}

/** The same for anything else, such as a list of tools. */
export function valueKey(value: unknown): string {
  return JSON.stringify(inOrder(value))
}

function withoutEmpty(message: Message): unknown {
  return inOrder(Object.fromEntries(Object.entries(message).filter(([, value]) => !isEmpty(value))))
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return entries.map(([key, member]) => [key, inOrder(member)])
}
