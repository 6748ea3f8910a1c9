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
const shortestName = 'apikey'.length

/** Names of keys whose texts are masked, as they are compared: in lower case without `_` and `-`. `*` stands for any beginning. */
export const maskedNames: readonly string[] = [...endings.map((ending) => `*${ending}`), ...names]

/** What a masked text becomes. */
export const redacted = 'REDACTED'

/**
 * Replaces non-empty texts under keys that name a credential, at any depth. Objects, lists, numbers and booleans under such a key stay.
 * Whatever holds no such text is returned as it is, by reference; the rest is copied without prototypes. Ready JSON texts are taken as they are.
 * The caller has bounded the depth.
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

/** A cheap test that spares most keys the full one: names end in d, n, s, t or y, or in what the full test removes or folds. */
function mayEndSecretName(code: number): boolean {
  if (code > 0x7f || code === 0x5f || code === 0x2d) return true
  const lower = code | 0x20
  return lower === 0x64 || lower === 0x6e || lower === 0x73 || lower === 0x74 || lower === 0x79
}

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
