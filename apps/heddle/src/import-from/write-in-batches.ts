import { isApiError } from '@heddle/core-api'
import type { ImportCounts } from './import-report.ts'

export interface BatchWriter<T> {
  add(item: T, size: number): Promise<void>
  /** Writes the items collected so far. */
  end(): Promise<void>
}

export interface BatchOptions<T> {
  /** Plural, for the report. */
  what: string
  maxItems: number
  /** Maximum of all sizes together; a larger item is a batch alone. */
  maxSize: number
  /** @returns how many of them the server rejected, and its reason; undefined for none */
  write: (batch: readonly T[]) => Promise<{ rejected: number; reason: string } | undefined>
  counts: ImportCounts
  onStep: (step: string) => void
}

/** Collects items and writes them together; if the server refuses them, one by one, and reports those that it refuses. */
export function createBatchWriter<T>({ what, maxItems, maxSize, write, counts, onStep }: BatchOptions<T>): BatchWriter<T> {
  let batch: T[] = []
  let size = 0
  let written = 0

  async function send(items: readonly T[]): Promise<void> {
    try {
      const refused = await write(items)
      const rejected = Math.min(refused?.rejected ?? 0, items.length)
      if (rejected < items.length) counts.count(what, items.length - rejected)
      if (refused !== undefined && rejected > 0) counts.skip(what, refused.reason, rejected)
    } catch (error) {
      if (!isApiError(error) || ![400, 404, 409, 413, 422].includes(error.status)) throw error
      if (items.length > 1) for (const item of items) await send([item])
      else counts.skip(what, error.message)
    }
  }

  async function flush(): Promise<void> {
    const items = batch
    batch = []
    size = 0
    if (items.length === 0) return
    await send(items)
    written += items.length
    onStep(`Importing ${what}: ${written}`)
  }

  return {
    async add(item, itemSize) {
      if (batch.length >= maxItems || (batch.length > 0 && size + itemSize > maxSize)) await flush()
      batch.push(item)
      size += itemSize
    },
    end: flush,
  }
}
