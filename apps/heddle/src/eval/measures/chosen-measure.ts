import { isChosen } from '@heddle/evaluations'
import { UsageError } from '../../terminal/usage-error.ts'

/**
 * The first chosen measure, whose rows are shown; undefined if there is none and none was named.
 * @throws UsageError when names were given and no measure has one
 */
export function chosenMeasure<Named extends { name: string }>(measures: readonly Named[], scorers: readonly string[]): Named | undefined {
  const chosen = measures.find(({ name }) => isChosen(name, scorers))
  if (chosen || scorers.length === 0) return chosen
  const named = scorers.map((scorer) => JSON.stringify(scorer)).join(' or ')
  throw new UsageError(`no score named ${named}; run \`heddle eval show\` without --scorer to list all scores`)
}
