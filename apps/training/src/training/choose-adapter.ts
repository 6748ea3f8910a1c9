import { withModules } from '../checkpoint-files/adapter-config.ts'
import { linearNames } from '../checkpoint-files/model-tensors.ts'
import type { AdapterSettings, BaseModel } from '../engine/engine.ts'

export interface AdapterChoice {
  base: Pick<BaseModel, 'id' | 'adapter'>
  /** The adapter of the weights where the job begins; null if they have none. */
  there: AdapterSettings | null
  /** That of the config of the job; null leaves it to the model. */
  rank: number | null
  /** Linear layers that get an adapter, as the config names them; null leaves it to the model. */
  modules: readonly string[] | null
  /** Whether the engine trains adapters of some linear layers. */
  choosesModules: boolean
  /** Highest rank of a new adapter. */
  maxRank: number
}

export type AdapterDecision = { adapter: AdapterSettings | null } | { problem: string }

/**
 * The adapter that a job trains: that of the weights where it begins, else a new one as the job or the base model says. Null trains every weight. A problem
 * is a sentence for the sender.
 */
export function chooseAdapter(choice: AdapterChoice): AdapterDecision {
  const { base, there, rank, modules } = choice
  if (base.adapter === null) {
    const [name, value] = rank !== null ? ['rank', rank] : ['target_modules', modules?.join(', ')]
    return rank === null && modules === null
      ? { adapter: null }
      : { problem: `${name} ${value}: models from ${base.id} have no adapter, since every weight is trained; leave ${name} out` }
  }
  return there === null ? newAdapter(choice, base.adapter) : sameAdapter(choice, there)
}

function sameAdapter({ rank, modules }: AdapterChoice, there: AdapterSettings): AdapterDecision {
  if (rank !== null && rank !== there.rank)
    return {
      problem: `rank ${rank}: the model already has an adapter of rank ${there.rank}, and its training continues with that; leave rank out, or train a new model with rank ${rank}`,
    }
  const [wanted, present] = [modules && withModules(modules), there].map((each) => (each?.modules ?? linearNames).join(', '))
  if (modules !== null && wanted !== present)
    return {
      problem: `target_modules ${wanted}: the model already has an adapter of ${present}, and its training continues with that; leave target_modules out, or train a new model`,
    }
  return { adapter: there }
}

function newAdapter({ base, rank, modules, choosesModules, maxRank }: AdapterChoice, ofBase: AdapterSettings): AdapterDecision {
  const chosen = rank ?? ofBase.rank
  if (chosen > maxRank)
    return {
      problem: `rank ${chosen}${rank === null ? ` of ${base.id}` : ''}: this server trains adapters of rank ${maxRank} at most; choose a lower rank, or raise HEDDLE_TRAINING_MAX_RANK`,
    }
  const some = modules === null ? {} : withModules(modules)
  if (some.modules && !choosesModules)
    return {
      problem: `target_modules ${some.modules.join(', ')}: the training server trains adapters of all linear layers; leave target_modules out`,
    }
  return { adapter: { ...ofBase, ...(rank !== null && { rank, alpha: (ofBase.alpha / ofBase.rank) * rank }), ...some } }
}
