import { v5 as idOfName } from 'uuid'

/** Of names that are contents. */
const namespace = '5f6f2d4e-3a0b-5c55-9a5e-0d6f0a6c4b1d'
const text = new TextEncoder()

/** A UUID that follows from the parts alone, in a program and in a browser alike. Parts are read one by one, so that a large list takes no second copy. */
export function contentId(...parts: readonly unknown[]): string {
  return digest(parts.map((part) => digest(JSON.stringify(part) ?? '')).join())
}

const digest = (content: string) => idOfName(text.encode(content), namespace)
