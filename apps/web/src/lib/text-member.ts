import { memberOf } from '@heddle/core-api/internal'

/** A text that is a member of a value that may be anything; `''` for anything else. */
export function textMember(value: unknown, name: string): string {
  const member = memberOf(value, name)
  return typeof member === 'string' ? member : ''
}
