import type { AdapterSettings, BaseModel } from '../engine/engine.ts'

export interface AdapterChoice {
  base: Pick<BaseModel, 'id' | 'adapter'>
  /** The adapter of the weights where the job begins; null if they have none. */
  there: AdapterSettings | null
  /** That of the config of the job; null leaves it to the model. */
  rank: number | null
  /** Highest rank of a new adapter. */
  maxRank: number
}

/**
 * The adapter that a job trains: that of the weights where it begins, else a new one as the job or the base model says. Null trains every weight. A problem
 * is a sentence for the sender.
 */
export function chooseAdapter({ base, there, rank, maxRank }: AdapterChoice): { adapter: AdapterSettings | null } | { problem: string } {
  if (base.adapter === null)
    return rank === null
      ? { adapter: null }
      : { problem: `rank ${rank}: models from ${base.id} have no adapter, since every weight is trained; leave rank out` }
  if (there !== null)
    return rank === null || rank === there.rank
      ? { adapter: there }
      : {
          problem: `rank ${rank}: the model already has an adapter of rank ${there.rank}, and its training continues with that; leave rank out, or train a new model with rank ${rank}`,
        }
  const chosen = rank ?? base.adapter.rank
  if (chosen > maxRank)
    return {
      problem: `rank ${chosen}${rank === null ? ` of ${base.id}` : ''}: this server trains adapters of rank ${maxRank} at most; choose a lower rank, or raise HEDDLE_TRAINING_MAX_RANK`,
    }
  return { adapter: rank === null ? base.adapter : { rank, alpha: (base.adapter.alpha / base.adapter.rank) * rank } }
}
