import type { JsonObject } from '@heddle/core-api'

/** Parts of the content of a chat completion's message. */
const partTypes: ReadonlySet<unknown> = new Set(['text', 'image_url', 'input_audio', 'file', 'refusal'])

/** Whether a recorded message is one of a chat completion, as opposed to one of another convention. */
export function isChatMessage({ role, parts, content }: JsonObject): boolean {
  if (typeof role !== 'string' || parts !== undefined) return false
  if (content === undefined || content === null || typeof content === 'string') return true
  return Array.isArray(content) && content.every((part: unknown) => partTypes.has(typeOf(part)))
}

const typeOf = (part: unknown) => (typeof part === 'object' && part !== null ? Reflect.get(part, 'type') : undefined)
