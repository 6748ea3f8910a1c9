/** A leaf in the attributes of a raw span that a column of its call has as well. */
export interface RepeatedLeaf {
  name: LeafName
  /** The column that has it. */
  column: LeafColumn
}

export type LeafName = 'response_id' | 'input_tokens' | 'output_tokens'
export type LeafColumn = 'attributes' | 'summary'

const responseId: RepeatedLeaf = { name: 'response_id', column: 'attributes' }
const inputTokens: RepeatedLeaf = { name: 'input_tokens', column: 'summary' }
const outputTokens: RepeatedLeaf = { name: 'output_tokens', column: 'summary' }

/** Keys of attributes down to the leaves. Stored rows depend on these names, so none may get another meaning. */
export interface LeafBranch {
  readonly [key: string]: LeafBranch | RepeatedLeaf
}

/** Where the leaves are in the attributes of a raw span, by the GenAI convention. */
export const repeatedLeaves: LeafBranch = {
  gen_ai: { response: { id: responseId }, usage: { input_tokens: inputTokens, output_tokens: outputTokens } },
}

export function isLeaf(branch: LeafBranch | RepeatedLeaf): branch is RepeatedLeaf {
  return typeof branch['column'] === 'string'
}

/** The leaves at or below a path of attributes, or that it leads through. */
export function leavesOn(path: readonly string[], branch: LeafBranch | RepeatedLeaf = repeatedLeaves): RepeatedLeaf[] {
  if (isLeaf(branch)) return [branch]
  const [key, ...rest] = path
  if (key === undefined) return Object.values(branch).flatMap((each) => leavesOn([], each))
  return Object.hasOwn(branch, key) ? leavesOn(rest, branch[key] as LeafBranch | RepeatedLeaf) : []
}

/** The text of a column before the value of a leaf. */
export const leafOpening = (name: LeafName) => `"${name}":`

/** The first value under the name of a leaf: a text without escapes, or an integer. The query compiler gives the patterns to the engine. */
export const leafPatterns = {
  response_id: /"response_id":("[^"\\]*"|-?[0-9]+)/,
  input_tokens: /"input_tokens":("[^"\\]*"|-?[0-9]+)/,
  output_tokens: /"output_tokens":("[^"\\]*"|-?[0-9]+)/,
} as const satisfies Record<LeafName, RegExp>

/** The JSON text of a leaf, from the text of its column. */
export function leafText({ name, column }: RepeatedLeaf, texts: Readonly<Record<LeafColumn, string>>): string {
  return leafPatterns[name].exec(texts[column])?.[1] ?? 'null'
}
