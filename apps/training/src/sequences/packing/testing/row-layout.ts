import type { PackedRow } from '../pack-rows.ts'
import type { RlSequence } from '../../../training/rl/prepared-rl.ts'

/** A row as arrays over its tokens, with prompts that sequences share once. */
export interface RowLayout {
  ids: number[]
  /** Position of each token in its own sequence. */
  positions: number[]
  /** Which sequence or prompt a token belongs to, numbered in order. */
  segment: number[]
  /** Which prompt it may see besides; a number without tokens where nothing is shared. */
  prompt_segment: number[]
  mask: number[]
  /** Null for tokens that were not sampled, and if the value is missing. */
  old_logprobs: (number | null)[]
  advantages: number[]
  weights: number[]
}

/** Lays a row out for a trainer with one attention mask over all of it. */
export function layoutRow(row: PackedRow<RlSequence>): RowLayout {
  const layout: RowLayout = {
    ids: [],
    positions: [],
    segment: [],
    prompt_segment: [],
    mask: [],
    old_logprobs: [],
    advantages: [],
    weights: [],
  }
  const prompts = new Map<number, number>()
  const groups: number[] = []
  let segments = 0
  for (const sequence of row.sequences) {
    const { group, promptLength, tokens } = sequence
    const held = prompts.has(group)
    if (promptLength > 0 && !held) prompts.set(group, segments++)
    const own = segments++
    for (let at = held ? promptLength : 0; at < tokens.length; at++) {
      addToken(layout, sequence, at)
      layout.segment.push(at < promptLength ? prompts.get(group)! : own)
      groups.push(group)
    }
  }
  // Groups that share nothing get the numbers after those of the segments.
  for (const group of groups) if (!prompts.has(group)) prompts.set(group, segments++)
  layout.prompt_segment = groups.map((group) => prompts.get(group)!)
  return layout
}

function addToken(layout: RowLayout, sequence: RlSequence, at: number): void {
  const sampled = sequence.mask[at] === 1
  const logProbability = sequence.logProbabilities[at]!
  layout.ids.push(sequence.tokens[at]!)
  layout.positions.push(at)
  layout.mask.push(sampled ? 1 : 0)
  layout.old_logprobs.push(sampled && Number.isFinite(logProbability) ? logProbability : null)
  layout.advantages.push(sampled ? sequence.advantage : 0)
  layout.weights.push(sampled ? sequence.weight : 0)
}
