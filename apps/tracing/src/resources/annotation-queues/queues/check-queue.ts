import { badRequest } from '@heddle/core-api/internal'
import { checkListLength } from '../../../query/compile/check-list-length.ts'

const maxNameLength = 1024
const maxDescriptionLength = 65_536
const maxRefsLength = 65_536
const maxDisplayFields = 100
const maxDisplayFieldsLength = 16_384

/** Fields of a queue as a request gives them; null: not given. */
export interface GivenQueue {
  name: string | null
  description: string | null
  scorer_refs: readonly string[] | null
}

/** @throws 400 for a field that no queue can have */
export function checkQueue({ name, description, scorer_refs }: GivenQueue): void {
  if (name === '') throw badRequest('name of a queue must not be empty')
  checkText('name', name ?? '', maxNameLength)
  checkText('description', description ?? '', maxDescriptionLength)
  checkListLength('scorer_refs', scorer_refs?.length ?? 0)
  checkText('scorer_refs', scorer_refs?.join('') ?? '', maxRefsLength)
}

/** @throws 400 for calls that cannot be added together, or fields that no item can have */
export function checkNewItems({ call_ids, display_fields }: { call_ids: readonly string[]; display_fields: readonly string[] }): void {
  checkListLength('call_ids', call_ids.length)
  if (display_fields.length > maxDisplayFields)
    throw badRequest(`display_fields has ${display_fields.length} entries, at most ${maxDisplayFields} are allowed`)
  checkText('display_fields', display_fields.join(''), maxDisplayFieldsLength)
}

/** @throws 400 for a negative number */
export function checkPage(page: { limit: number | null; offset: number | null }): void {
  for (const [name, value] of Object.entries(page)) {
    if (value !== null && value < 0) throw badRequest(`${name} must be at least 0, got ${value}`)
  }
}

function checkText(name: string, text: string, maxLength: number): void {
  if (text.length > maxLength) throw badRequest(`${name} has ${text.length} characters, at most ${maxLength} are allowed`)
  if (text.includes('\0')) throw badRequest(`${name} holds a NUL character`)
}
