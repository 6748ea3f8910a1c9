import { isJsonNumber } from '@heddle/json/exact'
import { jsonText, toCell } from './to-text.ts'

/** An object of more members is shown as JSON. */
const maxMembers = 6
const maxDepth = 4

/**
 * The start of a value on one line, without the signs of JSON where it has a plain reading: the last message of a conversation, the answer of a
 * model, the one member of an object, or few members by their names. All else is JSON. The object that a method belongs to is left out. Numbers are as
 * they were sent.
 */
export function readableCell(value: unknown, maxCharacters = 120): string {
  return toCell(plainText(value, 0) ?? value, maxCharacters)
}

function plainText(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value
  if (depth === maxDepth || value === null || value === undefined) return undefined
  if (typeof value !== 'object' || isJsonNumber(value)) return jsonText(value)
  if (Array.isArray(value)) return textOfLast(value, depth)
  if ('messages' in value && Array.isArray(value.messages)) return textOfLast(value.messages, depth)
  if ('choices' in value && Array.isArray(value.choices)) return plainText(value.choices[0], depth + 1)
  if ('message' in value && typeof value.message === 'object') return plainText(value.message, depth + 1)
  const members = Object.entries(value).filter(([name, member]) => !isOwner(name, member))
  const [only, second] = members
  if (only === undefined) return undefined
  if (second === undefined && typeof only[1] === 'object' && !isJsonNumber(only[1])) return plainText(only[1], depth + 1)
  if (second === undefined && typeof only[1] === 'string') return only[1]
  if ('role' in value) return plainText('content' in value ? value.content : 'parts' in value ? value.parts : undefined, depth + 1)
  if (members.length > maxMembers || !members.every(([, member]) => isPlain(member))) return undefined
  return members.map(([name, member]) => `${name}: ${typeof member === 'string' ? member : jsonText(member)}`).join(' · ')
}

/** Of messages, or of the parts of one. */
function textOfLast(values: readonly unknown[], depth: number): string | undefined {
  const last = values.at(-1)
  if (typeof last !== 'object' || last === null) return undefined
  if ('role' in last) return plainText(last, depth + 1)
  const text = 'text' in last ? last.text : 'content' in last ? last.content : undefined
  return 'type' in last && typeof text === 'string' ? text : undefined
}

/** Methods in Python are recorded with a reference to their object, which their name says already. */
const isOwner = (name: string, member: unknown) => name === 'self' && typeof member === 'string' && member.startsWith('weave:///')

const isPlain = (value: unknown) => value === null || typeof value !== 'object' || isJsonNumber(value)
