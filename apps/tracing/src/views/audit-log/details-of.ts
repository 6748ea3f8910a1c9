import { stringifyJson } from '@heddle/json'

const maxCharacters = 2_000
const ofProject: ReadonlySet<string> = new Set(['project_id', 'entity', 'project', 'wb_user_id'])

/** A request as the text of an entry: its fields except the project, cut after 2,000 characters. */
export function detailsOf(input: Readonly<Record<string, unknown>>): string {
  const named = Object.entries(input).filter(([name, value]) => !ofProject.has(name) && value !== null && value !== undefined)
  const text = stringifyJson(Object.fromEntries(named))
  return text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters).replace(/[\uD800-\uDBFF]$/, '')}…`
}
