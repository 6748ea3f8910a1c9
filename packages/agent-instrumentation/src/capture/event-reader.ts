import type { JsonObject } from '@heddle/core-api'
import { parseObject } from './json-values.ts'

const choices = '"choices":['

/**
 * Reads the events of one stream, as text. The chunks of a chat completion begin with the same fields, so where one begins as the one before did up to its
 * choices, only the rest is parsed, and the fields before it are left out: they are known. Undefined for a text that is not a JSON object.
 */
export function createEventReader(): (data: string) => JsonObject | undefined {
  let head: string | undefined
  return (data) => {
    // A head that ends inside of another value leaves a rest that is not JSON.
    const rest = head !== undefined && data.startsWith(head) ? parseObject(`{${choices}${data.slice(head.length)}`) : undefined
    if (rest) return rest
    const place = data.indexOf(choices)
    head = place < 0 ? undefined : data.slice(0, place + choices.length)
    return parseObject(data)
  }
}
