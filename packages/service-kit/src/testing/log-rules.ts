/** Part of payloads that tests send, so that a log line that repeats one is found. */
export const payloadCanary = 'canary-of-a-payload-7b1f'

/** Logged when rows are lost that were acknowledged. Fails every test. */
const lostRows = /"msg":"the store refuses rows that were acknowledged/

const keyShape = /heddle[a-z0-9]{45}/
const credential = /\b(?:Basic|Bearer)\s+[\w+/=.~-]{8,}/i
const header = /authorization["']?\s*[:=]/i
/** Long enough to hold a key. */
const base64 = /[A-Za-z0-9+/_-]{48,}={0,2}/g

/** Every field of a line that may hold a text; another one may hold any. */
const textFields = new Set(
  'time hostname msg test err method operation key cut path reason table part check requestId place address'.split(' '),
)
const errorFields = new Set(['type', 'code', 'kind', 'at', 'cause'])

/** What is wrong with a line that a server wrote to its log; empty when nothing is. */
export function findLeaks(line: string): string[] {
  const leaks: string[] = []
  if (keyShape.test(line)) leaks.push('a key')
  if (holdsEncodedKey(line)) leaks.push('a key in base64')
  if (credential.test(line) || header.test(line)) leaks.push('a credential')
  if (line.includes(payloadCanary)) leaks.push('a payload')
  if (lostRows.test(line)) leaks.push('rows that were acknowledged and refused')
  return [...leaks, ...strangeFields(line)]
}

function holdsEncodedKey(line: string): boolean {
  return (line.match(base64) ?? []).some((text) =>
    // The text may begin anywhere in the encoded credential.
    [0, 1, 2, 3].some((from) => keyShape.test(Buffer.from(text.slice(from), 'base64').toString('latin1'))),
  )
}

function strangeFields(line: string): string[] {
  const entry = parsed(line)
  if (entry === undefined) return []
  const strangers = Object.keys(entry).filter((field) => !textFields.has(field) && !isFigure(entry[field]))
  return [...strangers, ...strangersOf(entry['err'], 'err')].map((field) => `the field "${field}", which no log line has`)
}

const isFigure = (value: unknown) => value === null || typeof value === 'number' || typeof value === 'boolean'

function strangersOf(error: unknown, place: string): string[] {
  if (error === undefined) return []
  if (typeof error !== 'object' || error === null) return [place]
  const { cause, ...own } = error as Record<string, unknown>
  const strangers = Object.keys(own).filter((field) => !errorFields.has(field))
  return [...strangers.map((field) => `${place}.${field}`), ...strangersOf(cause, `${place}.cause`)]
}

/** A line as a record; undefined for text that is meant for people. */
function parsed(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    return JSON.parse(line) as Record<string, unknown>
  } catch {
    return undefined
  }
}
