import { badRequest } from '@heddle/core-api/internal'

const maxTagLength = 256
const maxAliasLength = 128

/**
 * Refuses a tag that is not made of word characters and dashes, in words with single spaces between them, 1 to 256 characters long.
 * @throws 400 that names the tag.
 */
export function checkTagName(tag: string): void {
  const length = [...tag].length
  if (length < 1 || length > maxTagLength) throw badTag(tag, `has ${length} characters; 1 to ${maxTagLength} are allowed`)
  if (!/^[\p{L}\p{N}_-]+(?: [\p{L}\p{N}_-]+)*$/u.test(tag)) {
    throw badTag(tag, 'may hold letters, digits, "_" and "-", in words with one space between them')
  }
}

/**
 * Refuses an alias that would be ambiguous, or is invalid in a reference: 1 to 128 characters, not only spaces, without `/`, `:` and control
 * characters, not `latest` and not `v` with digits.
 * @throws 400 that names the alias.
 */
export function checkAliasName(alias: string): void {
  const length = [...alias].length
  if (length < 1 || length > maxAliasLength) throw badAlias(alias, `has ${length} characters; 1 to ${maxAliasLength} are allowed`)
  if (alias.trim() === '') throw badAlias(alias, 'holds only spaces; give it a visible character')
  if (/[/:\p{Cc}]/u.test(alias)) throw badAlias(alias, 'must not hold "/", ":" or a control character')
  if (alias === 'latest') throw badAlias(alias, 'is kept for the latest version; choose another name')
  if (/^v[0-9]+$/.test(alias)) throw badAlias(alias, 'means a version by its index; choose another name')
}

function badTag(tag: string, problem: string) {
  return badRequest(`tag name ${shown(tag)} ${problem}`)
}

function badAlias(alias: string, problem: string) {
  return badRequest(`alias name ${shown(alias)} ${problem}`)
}

function shown(name: string): string {
  return JSON.stringify(name.length > 160 ? `${name.slice(0, 160)}…` : name)
}
