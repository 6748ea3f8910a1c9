import { badRequest } from '@heddle/core-api/internal'

const maxNameLength = 1024
const maxDescriptionLength = 65_536
const maxRefsLength = 65_536
const maxDisplayFieldsLength = 16_384

/** Fields of a queue as a request gives them; null: not given. */
export interface RequestedQueue {
  name: string | null
  description: string | null
  scorer_refs: readonly string[] | null
}

/** @throws 400 for a field that no queue can have */
export function checkQueue({ name, description, scorer_refs }: RequestedQueue): void {
  if (name === '') throw badRequest('name of a queue must not be empty')
  checkText('name', name ?? '', maxNameLength)
  checkText('description', description ?? '', maxDescriptionLength)
  checkText('scorer_refs', scorer_refs?.join('') ?? '', maxRefsLength)
}

/** @throws 400 for fields that no item can have */
export function checkDisplayFields(display_fields: readonly string[]): void {
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
