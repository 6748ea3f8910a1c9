import { StoreError } from '../work/store-error.ts'

/** Name of the file, or of the key after the prefix, with the id of the store that the blobs belong to. */
export const storeIdName = 'store-id.json'

const format = 1

export function storeIdText(id: string): Buffer {
  return Buffer.from(`${JSON.stringify({ format, store_id: id })}\n`)
}

/** @throws StoreError `failed` that names `place` when it is damaged */
export function parseStoreId(text: string, place: string): string {
  const id = /^\{"format":1,"store_id":"([0-9a-f-]{36})"\}\s*$/.exec(text)?.[1]
  if (id !== undefined) return id
  throw new StoreError('failed', `${place} contains no store id; remove it, and run \`heddle doctor --repair\` to write it again`)
}
