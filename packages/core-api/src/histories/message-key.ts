import type { Message } from './chat.ts'

/**
 * A text that two messages share exactly when they mean the same. Clients send a choice back with other empty fields than it had (`refusal: null`,
 * `content: ""`), write keys in any order, write a text as a list of parts, and write the arguments of tool calls again, with other spaces.
 */
export function messageKey(message: Message): string {
  return JSON.stringify(withoutEmpty(message))
}

/** The same for any other value, such as a list of tools. */
export function valueKey(value: unknown): string {
  return JSON.stringify(inOrder(value))
}

function withoutEmpty(message: Message): unknown {
  const entries = Object.entries(message).map(([key, value]) => [key, key === 'content' ? plainText(value) : value] as const)
  return inOrder(Object.fromEntries(entries.filter(([, value]) => !isEmpty(value))))
}

/** The text of a list of texts; anything else as it is. */
function plainText(content: unknown): unknown {
  if (!Array.isArray(content)) return content
  const texts = content.map((part: { type?: unknown; text?: unknown } | null) => (part?.type === 'text' ? part.text : undefined))
  return texts.every((text) => typeof text === 'string') ? texts.join('') : content
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return entries.map(([key, member]) => [key, key === 'arguments' && typeof member === 'string' ? argumentsKey(member) : inOrder(member)])
}

/** Text that is not JSON is its own key, as is JSON with numbers that parsing would round. */
function argumentsKey(text: string): unknown {
  if (/\d{16}/.test(text)) return text
  try {
    return ['json', inOrder(JSON.parse(text))]
  } catch {
    return text
  }
}
