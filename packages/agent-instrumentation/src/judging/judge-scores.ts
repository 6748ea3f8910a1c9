import { isJsonObject, objectsOf, parseObject } from '../capture/json-values.ts'

export interface JudgeScore {
  score: number
  explanation: string
}

/**
 * The scores of `count` attempts in their order, from the text of a judge's answer: JSON, in a code block or among other text.
 * @throws Error that names the missing or invalid part
 */
export function parseScores(text: string, count: number): JudgeScore[] {
  const entries = objectsOf(findObject(text)?.['scores'])
  if (entries.length === 0) throw new Error(`the judge's answer holds no scores: ${JSON.stringify(text.slice(0, 200))}`)
  if (entries.length !== count) throw new Error(`the judge gave ${entries.length} scores for ${count} attempts`)
  const byId = new Map(entries.map((entry) => [String(entry['trajectory_id']), entry]))
  return Array.from({ length: count }, (_, at) => {
    const entry = byId.get(String(at + 1))
    if (!entry) throw new Error(`the judge gave no score to attempt ${at + 1}`)
    return toScore(entry, at + 1)
  })
}

function toScore({ score, explanation }: Record<string, unknown>, id: number): JudgeScore {
  const number = typeof score === 'string' && score.trim() !== '' ? Number(score) : score
  if (typeof number !== 'number' || !(number >= 0 && number <= 1))
    throw new Error(`the score of attempt ${id} must be a number from 0 to 1, got ${JSON.stringify(score)}`)
  return { score: number, explanation: typeof explanation === 'string' ? explanation : '' }
}

/** Parses the whole text, or the part from its first brace to its last. */
function findObject(text: string): Record<string, unknown> | undefined {
  const found = parseObject(text) ?? parseObject(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))
  return isJsonObject(found) ? found : undefined
}
