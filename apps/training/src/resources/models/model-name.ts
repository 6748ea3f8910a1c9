import { badRequest } from '@heddle/core-api/internal'

const maxLength = 128

/** `field`: where the name is, for errors. @throws ApiError 400 for a name that would be ambiguous in a model's address in chat completions */
export function checkedModelName(name: string, field = 'name'): string {
  const shown = JSON.stringify(name.slice(0, 200))
  const refuse = (reason: string) => badRequest(`${field} ${shown} ${reason}`, { param: field })
  if (name.length < 1 || name.length > maxLength) throw refuse(`has ${name.length} characters; 1 to ${maxLength} are allowed`)
  if (/[/:@\p{Cc}\p{Cs}]/u.test(name)) throw refuse('contains "/", ":", "@" or a control character; leave it out')
  if (name.trim() !== name) throw refuse('begins or ends with white space; remove it')
  return name
}
