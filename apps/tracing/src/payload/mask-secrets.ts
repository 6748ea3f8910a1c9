import { JsonText } from '@heddle/core-api/internal'

const names = new Set([
  'authheaders',
  'authorization',
  'authtoken',
  'awsaccesskey',
  'awsaccesskeyid',
  'bearertoken',
  'vertexcredentials',
  'webhookkey',
  'webhooksecret',
])
const endings = [
  'accesstoken',
  'apikey',
  'apitoken',
  'clientsecret',
  'privatekey',
  'refreshtoken',
  'secretaccesskey',
  'secretkey',
  'sessiontoken',
]
const everyName = [...names, ...endings]
const shortestName = Math.min(...everyName.map(({ length }) => length))
const lastLetters = new Set(everyName.map((name) => name.charCodeAt(name.length - 1)))

/** Names of keys whose texts are masked, in their normalized form: in lower case without `_` and `-`. `*` matches any prefix. */
export const maskedNames: readonly string[] = [...endings.map((ending) => `*${ending}`), ...names]

/** Replaces masked texts. */
export const redacted = 'REDACTED'

/**
 * Replaces non-empty texts under keys that name a credential, at any depth. Objects, lists, numbers and booleans under such a key are kept. Values
 * without such texts are returned by reference; the rest is copied without prototypes. Ready JSON texts are not inspected. The caller has bounded the
 * depth.
 */
export function maskSecrets<T>(value: T): T {
  return masked(value) as T
}

/** True when texts under that key are masked. */
export function isSecretKey(key: string): boolean {
  if (key.length < shortestName || !mayEndSecretName(key.charCodeAt(key.length - 1))) return false
  const plain = key.toLowerCase().replaceAll(/[_-]/g, '')
  return names.has(plain) || endings.some((ending) => plain.endsWith(ending))
}

const [underscore, hyphen, lastAscii] = [0x5f, 0x2d, 0x7f]
/** Set in the code of a lower-case ASCII letter. */
const lowerCaseBit = 0x20

/** Cheap test that spares most keys the full one: false where no name ends so, even after the full test has removed or folded characters. */
const mayEndSecretName = (code: number): boolean =>
  code > lastAscii || code === underscore || code === hyphen || lastLetters.has(code | lowerCaseBit)

function masked(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof JsonText) return value
  return Array.isArray(value) ? maskedList(value) : maskedObject(value as Record<string, unknown>)
}

function maskedList(list: unknown[]): unknown[] {
  let copy: unknown[] | undefined
  for (let index = 0; index < list.length; index += 1) {
    const element = list[index]
    if (typeof element !== 'object') continue
    const next = masked(element)
    if (next !== element) (copy ??= list.slice())[index] = next
  }
  return copy ?? list
}

function maskedObject(object: Record<string, unknown>): Record<string, unknown> {
  let copy: Record<string, unknown> | undefined
  for (const key in object) {
    const member = object[key]
    const next = typeof member === 'string' ? (member !== '' && isSecretKey(key) ? redacted : member) : masked(member)
    if (next !== member) (copy ??= copyOf(object))[key] = next
  }
  return copy ?? object
}

function copyOf(object: Record<string, unknown>): Record<string, unknown> {
  const copy = Object.create(null) as Record<string, unknown>
  for (const key of Object.keys(object)) copy[key] = object[key]
  return copy
}
