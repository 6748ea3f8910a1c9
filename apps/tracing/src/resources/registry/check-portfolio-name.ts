import { badRequest } from '@heddle/core-api/internal'

const maxLength = 128

/** Refuses a name that no collection of a registry can have: 1 to 128 characters, none of them a control character. @throws 400 */
export function checkPortfolioName(name: string): void {
  const shown = JSON.stringify(name.length > 160 ? `${name.slice(0, 160)}…` : name)
  const length = [...name].length
  if (length > maxLength) throw badRequest(`portfolio_name ${shown} has ${length} characters; at most ${maxLength} are allowed`)
  if (/\p{Cc}/u.test(name)) throw badRequest(`portfolio_name ${shown} contains a control character; remove it`)
}
