import type { JsonObject } from '@heddle/core-api'

/** Responses of one trajectory that later requests may reference instead of resending their content. */
export interface StoredResponses {
  add(response: { id: string; previousId: string | undefined; items: readonly JsonObject[] }): void
  /** Items that were sent and sampled up to the end of that response; undefined if the response is unknown. */
  itemsUpTo(responseId: string): JsonObject[] | undefined
  /** Undefined for one that is not known. */
  item(id: string): JsonObject | undefined
}

interface StoredResponse {
  previousId: string | undefined
  items: readonly JsonObject[]
}

/** Most responses of one trajectory. Beyond it the oldest are dropped, and requests that refer to them are not recorded. */
const maxResponses = 1_000

export function createStoredResponses(limit = maxResponses): StoredResponses {
  const responses = new Map<string, StoredResponse>()
  const items = new Map<string, JsonObject>()

  function dropOldest() {
    for (const [id, stored] of responses) {
      if (responses.size <= limit) return
      responses.delete(id)
      for (const item of stored.items) items.delete(String(item['id']))
    }
  }

  return {
    add({ id, ...stored }) {
      responses.set(id, stored)
      for (const item of stored.items) if (typeof item['id'] === 'string') items.set(item['id'], item)
      dropOldest()
    },
    itemsUpTo(responseId) {
      const chain: StoredResponse[] = []
      for (let id: string | undefined = responseId; id !== undefined && chain.length <= limit; id = chain.at(-1)?.previousId) {
        const stored = responses.get(id)
        if (!stored) return undefined
        chain.push(stored)
      }
      return chain.toReversed().flatMap((stored) => stored.items)
    },
    item: (id) => items.get(id),
  }
}
