import { effectOf, type Tool } from '../tools/tool.ts'

/** Weights of a word by where it occurs. */
const inName = 4
const inTitle = 3
const inDescription = 1

/** Verbs that users say for the effects. */
const verbs = { read: 'show get read', write: 'start create add write', destroy: 'delete remove' }

/** Tools that have words of the query, the best match first; equal ones by name. A word that few tools have counts more; it also matches the beginning of another. */
export function findTools(query: string, tools: readonly Tool[]): Tool[] {
  const scores = tools.map(() => 0)
  for (const word of wordsOf(query)) {
    const found = tools.map((tool) => scoreOf(word, tool))
    const rarity = Math.log(1 + tools.length / Math.max(found.filter((score) => score > 0).length, 1))
    for (const [at, score] of found.entries()) scores[at] = (scores[at] ?? 0) + score * rarity
  }
  return tools
    .map((tool, at) => ({ tool, score: scores[at] ?? 0 }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score || (one.tool.name < other.tool.name ? -1 : 1))
    .map(({ tool }) => tool)
}

function scoreOf(word: string, tool: Tool): number {
  const { name, title, toolset, description } = tool
  const has = (text: string) => wordsOf(text).some((other) => other.startsWith(word) || (other.length > 3 && word.startsWith(other)))
  return (
    (has(`${name} ${toolset}`) ? inName : 0) +
    (has(`${title} ${verbs[effectOf(tool)]}`) ? inTitle : 0) +
    (has(description) ? inDescription : 0)
  )
}

/** Words of two letters and more, in small letters, without the `s` of a plural. */
function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[a-z0-9]{2,}/g) ?? []).map((word) => (word.length > 3 ? word.replace(/s$/, '') : word))
}
