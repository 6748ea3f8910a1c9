import { badRequest } from '@heddle/core-api/internal'

const maxLength = 128

/** @throws ApiError 400 for a name that would be ambiguous in a model's address in chat completions */
export function checkedModelName(name: string): string {
  const shown = JSON.stringify(name.slice(0, 200))
  if (name.length < 1 || name.length > maxLength)
    throw badRequest(`name ${shown} has ${name.length} characters; 1 to ${maxLength} are allowed`)
  if (/[/:@\p{Cc}\p{Cs}]/u.test(name)) throw badRequest(`name ${shown} contains "/", ":", "@" or a control character; leave it out`)
  if (name.trim() !== name) throw badRequest(`name ${shown} begins or ends with white space; remove it`)
  return name
}
