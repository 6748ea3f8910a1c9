import { z } from 'zod'
import { type Pace, paceOf, withoutPace } from './pace.ts'

/** Whether a JSON value holds more than `most` values, itself included. Looks at no more than that. */
function hasManyValues(value: unknown, most: number): boolean {
  if (typeof value !== 'object' || value === null) return most < 1
  const waiting: object[] = [value]
  let count = 1
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const member of Array.isArray(next) ? (next as unknown[]) : Object.values(next)) {
      if (++count > most) return true
      if (typeof member === 'object' && member !== null) waiting.push(member)
    }
  }
  return count > most
}

/** A list that is too long. */
export interface LongList {
  /** The field that holds it. */
  name: string
  length: number
  max: number
}

/** How an operation refuses a list that is too long, where its clients know that by another status than 422. */
export interface ListRefusal {
  code: 'bad_request' | 'too_large'
  reason: (list: LongList) => string
}

/** A list that is too long, reported by a schema with its own refusal. */
export interface TooManyEntries extends z.core.$ZodIssueTooBig {
  refusal: ListRefusal
  /** Entries of the list. */
  length: number
}

/** 400 for most lists. */
export const tooManyEntries: ListRefusal = {
  code: 'bad_request',
  reason: ({ name, length, max }) => `${name} has ${length} entries, at most ${max} are allowed: split the request`,
}

/** 400 with the message that clients expect for filters. */
export const tooManyToMatch: ListRefusal = {
  code: 'bad_request',
  reason: ({ name, length, max }) => `Parameter: '${name}' request length is greater than max length (${max}). Actual length: ${length}.`,
}

/** 413, on which clients halve a batch. */
export const tooLargeBatch: ListRefusal = {
  code: 'too_large',
  reason: ({ name, length, max }) => `${name} has ${length} items, at most ${max} are allowed: send it in parts`,
}

/** Findings in one list or dictionary after which the rest of it is not looked at. */
const maxFindings = 20
/** Values of an entry from which on it yields to the event loop itself. */
const manyValues = 256

interface BoundedListDef<S extends z.core.SomeType> extends z.core.$ZodArrayDef<S> {
  max: number
  refusal: ListRefusal | undefined
}

type RawIssue = z.core.$ZodRawIssue
type Payload = z.core.ParsePayload
type Context = z.core.ParseContextInternal

const BoundedList = z.core.$constructor<z.ZodArray, BoundedListDef<z.core.$ZodType>>('BoundedList', (list, def) => {
  z.ZodArray.init(list, def)
  list._zod.bag['maximum'] = def.max
  list._zod.parse = (payload, context) => {
    const given: unknown = payload.value
    if (!Array.isArray(given)) return refused(payload, { expected: 'array', code: 'invalid_type', input: given, inst: list })
    const { length } = given
    const { max: maximum, refusal } = def
    if (length > maximum) {
      const issue: RawIssue = { code: 'too_big', origin: 'array', maximum, inclusive: true, input: given, inst: list }
      return refused(payload, refusal ? { ...issue, refusal, length } : issue)
    }
    const entries: unknown[] = Array.from({ length })
    payload.value = entries
    return readEntries(payload, {
      context,
      keys: given.keys(),
      entryOf: (index) => given[index] as unknown,
      schema: def.element,
      keep: (index, entry) => void (entries[index] = entry),
    })
  }
})

interface BoundedRecordDef<S extends z.core.SomeType> extends z.core.$ZodRecordDef<z.core.$ZodRecordKey, S> {
  max: number
}

const BoundedRecord = z.core.$constructor<z.ZodRecord, BoundedRecordDef<z.core.$ZodType>>('BoundedRecord', (record, def) => {
  z.ZodRecord.init(record, def)
  record._zod.parse = (payload, context) => {
    const given: unknown = payload.value
    if (!z.core.util.isPlainObject(given)) return refused(payload, { expected: 'record', code: 'invalid_type', input: given, inst: record })
    const keys = Object.keys(given)
    if (keys.length > def.max) {
      const message = `Dictionary should have at most ${def.max} items, not ${keys.length}`
      return refused(payload, { code: 'custom', message, params: { type: 'too_long' }, input: given, inst: record })
    }
    const entries: Record<string, unknown> = {}
    payload.value = entries
    return readEntries(payload, {
      context,
      keys: keys.filter((key) => key !== '__proto__').values(),
      entryOf: (key) => given[key],
      schema: def.valueType,
      keep: (key, entry) => void (entries[key] = entry),
    })
  }
})

function refused(payload: Payload, issue: RawIssue): Payload {
  payload.issues.push(issue)
  return payload
}

interface Reading<Key extends string | number> {
  context: Context
  keys: IterableIterator<Key>
  entryOf: (key: Key) => unknown
  schema: z.core.$ZodType
  keep: (key: Key, entry: unknown) => void
}

/** Reads entries until there are too many issues; yields to the event loop if the context has a pace. */
function readEntries<Key extends string | number>(payload: Payload, reading: Reading<Key>): Payload | Promise<Payload> {
  const pace = paceOf(reading.context)
  if (pace) return readEntriesPaced(payload, reading, pace)
  const { context, keys, entryOf, schema } = reading
  for (const key of keys) {
    const result = schema._zod.run({ value: entryOf(key), issues: [] }, context)
    // Only a schema with asynchronous checks makes one, and no request has such checks.
    if (result instanceof Promise) throw new z.core.$ZodAsyncError()
    if (!take(payload, reading, key, result)) break
  }
  return payload
}

async function readEntriesPaced<Key extends string | number>(payload: Payload, reading: Reading<Key>, pace: Pace): Promise<Payload> {
  const { context, keys, entryOf, schema } = reading
  const atOnce = withoutPace(context)
  for (const key of keys) {
    const entry = entryOf(key)
    const running = schema._zod.run({ value: entry, issues: [] }, hasManyValues(entry, manyValues) ? context : atOnce)
    const result = running instanceof Promise ? await running : running
    if (!take(payload, reading, key, result)) break
    const turn = pace()
    if (turn) await turn
  }
  return payload
}

/** Whether the next entry is to be read. */
function take<Key extends string | number>(payload: Payload, { keep }: Reading<Key>, key: Key, result: Payload): boolean {
  keep(key, result.value)
  for (const issue of result.issues) payload.issues.push({ ...issue, path: [key, ...(issue.path ?? [])] })
  return payload.issues.length < maxFindings
}

/**
 * A list of at most `max` entries. Its length is checked before its entries, and after 20 findings the rest is not looked at.
 * `refusal`: what a longer one gets instead of 422.
 */
export function listOf<S extends z.ZodType>(entry: S, max: number, refusal?: ListRefusal): z.ZodArray<S> {
  return new BoundedList({ type: 'array', element: entry, max, refusal }) as unknown as z.ZodArray<S>
}

/** A dictionary of at most `max` keys of the caller's choice, read like a list. */
export function recordOf<S extends z.ZodType>(value: S, max: number): z.ZodRecord<z.ZodString, S> {
  const record = new BoundedRecord({ type: 'record', keyType: z.string(), valueType: value, max })
  return record.meta({ maxProperties: max }) as unknown as z.ZodRecord<z.ZodString, S>
}
