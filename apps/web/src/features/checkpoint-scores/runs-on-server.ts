import { isJsonObject, serverScorerClasses } from '@heddle/core-api/internal'

/**
 * The scorer of an evaluation that the server does not run, since it is code of a program. Undefined if there is none, and if the scorers are not
 * known: the server then reports which one it does not run.
 */
export function findScorerOfProgram(evaluation: unknown, scorers: ReadonlyMap<string, unknown>): string | undefined {
  return scorersOf(evaluation).find((ref) => isOfProgram(scorers.get(ref)))
}

/** References to the scorers of an evaluation. */
export function scorersOf(evaluation: unknown): string[] {
  const scorers = isJsonObject(evaluation) ? evaluation['scorers'] : undefined
  return Array.isArray(scorers) ? scorers.filter((ref) => typeof ref === 'string') : []
}

function isOfProgram(scorer: unknown): boolean {
  if (!isJsonObject(scorer)) return false
  const { _class_name: name, _bases: bases } = scorer
  const classes: unknown[] = [name, ...(Array.isArray(bases) ? (bases as unknown[]) : [])]
  return !classes.some((one) => typeof one === 'string' && serverScorerClasses.includes(one))
}
