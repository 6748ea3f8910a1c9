import { badRequest } from '@heddle/core-api/internal'

const maxEntries = 1000

/** Refuses a list of a request that has more than 1000 entries; the message names it. @throws 400 */
export function checkListLength(name: string, length: number): void {
  if (length <= maxEntries) return
  throw badRequest(`Parameter: '${name}' request length is greater than max length (${maxEntries}). Actual length: ${length}.`)
}
