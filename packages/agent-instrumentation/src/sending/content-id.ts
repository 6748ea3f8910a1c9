import { stringifyJson } from '@heddle/json/exact'
import { v5 as idOfName } from 'uuid'

/** Of names that are contents. */
const namespace = '5f6f2d4e-3a0b-5c55-9a5e-0d6f0a6c4b1d'
const text = new TextEncoder()

/** A group could not be judged. The message names the group and the reason. */
export function contentId(...parts: readonly unknown[]): string {
  return digest(parts.map((part) => digest(part === undefined ? '' : stringifyJson(part))).join())
}

const digest = (content: string) => idOfName(text.encode(content), namespace)
