import { isJsonNumber } from '@heddle/json/exact'

/** Cuts a text in its middle, keeping its head and tail, and notes its original length. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text
  const mark = ` …[${text.length} characters]… `
  const kept = Math.max(8, max - mark.length)
  const head = Math.ceil(kept * 0.7)
  return (text.slice(0, head) + mark + text.slice(text.length - (kept - head))).replace(/\p{Surrogate}/gu, '')
}

/** The value with all of its texts cut, and how many were. */
export function cutTexts(value: unknown, max: number): { value: unknown; cut: number } {
  let cut = 0
  const walk = (item: unknown): unknown => {
    if (typeof item === 'string') {
      const shorter = cutText(item, max)
      if (shorter.length < item.length) cut++
      return shorter.length < item.length ? shorter : item
    }
    if (typeof item !== 'object' || item === null || isJsonNumber(item)) return item
    if (Array.isArray(item)) return item.map(walk)
    return Object.fromEntries(Object.entries(item).map(([key, member]) => [key, walk(member)]))
  }
  return { value: walk(value), cut }
}
