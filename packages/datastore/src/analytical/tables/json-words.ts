import { quoteText } from '../quote.ts'

/** What the name of a member may be written with instead of its characters. */
export const escapeMark = String.raw`\u`

/** Members to find, by their names: texts, or members of members. */
interface Members {
  [name: string]: 'text' | Members
}

/** The type by which the engine extracts the members at some paths. A path must not lead through another one. */
export function tupleOfPaths(paths: readonly (readonly string[])[]): string {
  const members: Members = {}
  for (const path of paths) {
    const names = [...path]
    const last = names.pop() ?? ''
    let within = members
    for (const name of names) within = (within[name] ??= {}) as Members
    within[last] = 'text'
  }
  return tupleOf(members)
}

function tupleOf(of: Members): string {
  const elements = Object.entries(of).map(([name, member]) => `\`${name}\` ${member === 'text' ? 'Nullable(String)' : tupleOf(member)}`)
  return `Tuple(${elements.join(', ')})`
}

/** The member at a path of an extracted tuple; null if there is none. */
export function wordAtPath(tuple: string, path: readonly string[]): string {
  return path.reduce((within, name) => `tupleElement(${within}, ${quoteText(name)})`, tuple)
}
