import { checked, Refused } from '../shapes/checked.ts'

const form = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

function readUuid(value: unknown): string | Refused {
  if (typeof value !== 'string') return new Refused('string_type', 'Input should be a valid string')
  return form.test(value) ? value.toLowerCase() : new Refused('uuid_parsing', 'Input should be a valid UUID')
}

/** A UUID of any version; arrives in lower case. */
export const Uuid = checked<string>(readUuid, { type: 'string', format: 'uuid' })
