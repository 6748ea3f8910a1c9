import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { isJsonNumber, stringifyJson } from '@heddle/json/exact'
import { ToolError } from './tool-error.ts'

/** Where the next page begins. */
export interface PageStart {
  /** Entries before it. */
  offset: number
  /** Upper end of the list when its first page was read, such as a time, so that newer entries do not shift the pages. */
  anchor?: string
}

export interface CursorCodec {
  write(start: PageStart, query: unknown): string
  /** @throws ToolError when it is damaged, of another server, or of a call with other arguments */
  read(cursor: string, query: unknown): PageStart
}

const macBytes = 12

/** Cursors are sealed with `key`, and belong to the query for which they were written: a tool and its arguments without page and size. */
export function createCursorCodec(key: Uint8Array): CursorCodec {
  const seal = (text: string) => createHmac('sha256', key).update(text).digest().subarray(0, macBytes)
  return {
    write({ offset, anchor }, query) {
      const text = JSON.stringify([offset, anchor ?? '', hashOf(query)])
      return `${Buffer.from(text).toString('base64url')}.${seal(text).toString('base64url')}`
    },
    read(cursor, query) {
      const [payload = '', mac = ''] = cursor.split('.')
      const text = Buffer.from(payload, 'base64url').toString()
      const given = Buffer.from(mac, 'base64url')
      if (given.length !== macBytes || !timingSafeEqual(given, seal(text))) {
        throw new ToolError(
          'bad_request',
          'the cursor is damaged, or of a server that has restarted',
          'Call again without `cursor` to begin at the first page.',
        )
      }
      const [offset, anchor, hash] = JSON.parse(text) as [number, string, string]
      if (hash !== hashOf(query)) {
        throw new ToolError(
          'bad_request',
          'the cursor belongs to a call with other arguments',
          'Keep all arguments as they were for the first page, or call again without `cursor`.',
        )
      }
      return { offset, ...(anchor !== '' && { anchor }) }
    },
  }
}

/** Equal for equal JSON values, in whatever order their keys are. */
function hashOf(value: unknown): string {
  return createHash('sha256')
    .update(stringifyJson(sorted(value)))
    .digest('base64url')
    .slice(0, 16)
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null || isJsonNumber(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  )
}
