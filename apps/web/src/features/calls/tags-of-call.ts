import type { Call } from '@heddle/core-api/types'
import { joinPath, memberOf } from '@heddle/core-api/internal'
import type { Condition } from '../filter/call-condition.ts'

/** A label that a program gave to a call, with what selects the calls that have it. */
export interface CallTag {
  tag: string
  condition: Condition
}

/** Names under which clients and conventions for spans write tags. */
const names = ['tags', 'metadata.tags', 'heddle.tags', 'tag.tags', 'langfuse.trace.tags', 'langsmith.span.tags'] as const
/** Where tags are found: in the program's attributes of a call, or in those of its span. */
const holders = [['attributes'], ['attributes', 'otel_span', 'attributes']] as const
/** A longer list or a longer text is not treated as tags. */
const maxTags = 50
const maxCharacters = 200

/** The tags of a call, each once, in their order. Tags are a list of texts, or one text with commas. */
export function tagsOfCall(call: Pick<Call, 'attributes'>): CallTag[] {
  const found = new Map<string, CallTag>()
  for (const holder of holders) {
    const above = holder.reduce<unknown>(memberOf, call)
    for (const name of names) for (const one of tagsAt(above, { holder, name })) if (!found.has(one.tag)) found.set(one.tag, one)
  }
  return [...found.values()].slice(0, maxTags)
}

/** A name is nested at its dots, or unchanged. */
function tagsAt(above: unknown, { holder, name }: { holder: readonly string[]; name: string }): CallTag[] {
  const parts = name.split('.')
  const nested = tagsIn(parts.reduce<unknown>(memberOf, above), joinPath([...holder, ...parts]))
  return nested.length > 0 || parts.length === 1 ? nested : tagsIn(memberOf(above, name), joinPath([...holder, name]))
}

/** A list is compared as its JSON text, in which a tag is quoted, so that only whole tags match. */
function tagsIn(value: unknown, path: string): CallTag[] {
  if (Array.isArray(value)) {
    const tags = value.filter(isTag)
    return tags.map((tag) => ({ tag, condition: { path, operator: 'contains', value: JSON.stringify(tag) } }))
  }
  if (typeof value !== 'string') return []
  const tags = withoutCut(value)
    .split(',')
    .map((part) => part.trim())
  return tags.filter(isTag).map((tag) => ({ tag, condition: { path, operator: 'contains', value: tag } }))
}

/** Lists read the start of a long text: the tag that is cut is none. */
const withoutCut = (text: string) => text.replace(/,[^,]*…$/, '')

const isTag = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '' && value.length <= maxCharacters
