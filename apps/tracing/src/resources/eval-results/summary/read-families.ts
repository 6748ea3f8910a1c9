import { setImmediate } from 'node:timers/promises'
import type { ProjectScope } from '@heddle/identity'
import { parseJson } from '@heddle/json'
import type { EvalResultsStore } from '../eval-results-store.ts'
import type { EvaluationTrials } from '../rows/evaluation-trials.ts'
import { placeOfTrial } from '../rows/trial-places.ts'
import { type ChildCall, toChildCall } from '../trials/child-call.ts'
import { totalTokens } from '../trials/total-tokens.ts'

/** The calls below one predict-and-score call, as far as a summary needs them. */
export interface Family {
  signature: string
  /** Tokens of each call; null without any. */
  tokens: (number | null)[]
}

export interface Families {
  /** By the places of their trials; a trial without calls below has none. */
  of: (Family | undefined)[][]
  /** The calls of one family of each signature. */
  samples: ReadonlyMap<string, readonly ChildCall[]>
}

/** Families whose calls are read at once. */
const samplesAtOnce = 500

/** Reads the calls below all trials in short, and of each kind of family those of one. */
export async function readFamilies(
  store: Pick<EvalResultsStore, 'families' | 'children'>,
  project: ProjectScope,
  evaluations: readonly EvaluationTrials[],
): Promise<Families> {
  const of = evaluations.map(({ trials }) => Array.from<Family | undefined>({ length: trials.length }))
  const parents = new Map<string, string>()
  const ids = evaluations.map(({ evaluation_call_id }) => evaluation_call_id)
  for await (const block of store.families(project, ids)) {
    for (const { parent_id, signature, token_counts } of block) {
      const place = placeOfTrial(evaluations, parent_id)
      if (place === undefined) continue
      if (!parents.has(signature)) parents.set(signature, parent_id)
      of[place.evaluation]![place.trial] = { signature, tokens: token_counts.map(tokensIn) }
    }
    await setImmediate()
  }
  return { of, samples: await readSamples(store, project, parents) }
}

async function readSamples(
  store: Pick<EvalResultsStore, 'children'>,
  project: ProjectScope,
  parents: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, readonly ChildCall[]>> {
  const samples = new Map<string, ChildCall[]>()
  const signatures = new Map([...parents].map(([signature, parent]) => [parent, signature]))
  const asked = [...signatures.keys()]
  for (let at = 0; at < asked.length; at += samplesAtOnce) {
    for (const child of await store.children(project, asked.slice(at, at + samplesAtOnce))) {
      const signature = signatures.get(child.parent_id) ?? ''
      const sample = samples.get(signature) ?? []
      if (sample.push(toChildCall(child)) === 1) samples.set(signature, sample)
    }
  }
  return samples
}

function tokensIn(json: string): number | null {
  return json === '' ? null : totalTokens(parseJson(json))
}
