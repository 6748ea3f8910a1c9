import { join } from 'node:path'
import { aConfig } from '@heddle/training/testing'
import { round } from '../report/percentiles.ts'
import type { PeerSpeeds } from './peers/peer-speeds.ts'
import { runLlama } from './peers/run-llama.ts'
import { runTorch } from './peers/run-torch.ts'
import { writeGguf } from './peers/write-gguf.ts'
import type { Preset } from './presets.ts'

export interface OwnSpeeds extends PeerSpeeds {
  trainAll: number
  trainAdapter: number
}

export interface PeerWork {
  presets: readonly Preset[]
  threads: readonly number[]
  rounds: number
  /** `wall` or `processor`. */
  clock: string
  own: readonly OwnSpeeds[]
  /** The likeliest tokens of the embedded engine after the same prompt, by preset. */
  greedy: ReadonlyMap<string, readonly number[]>
  /** With the models, a folder each. */
  models: string
  /** Where peers are installed, once. */
  installed: { torch: string; llama: string }
}

export interface PeerOutcome {
  speeds: PeerSpeeds[]
  /** Why, for each count of threads. */
  notMeasured: string[]
}

export interface Comparison {
  torch: PeerOutcome
  llama: PeerOutcome
  /** Of ours to theirs: above 1 is faster here. */
  ratios: Record<string, string | number>[]
}

/** Measures PyTorch and llama.cpp with the same models. Reports the reason when one cannot be installed or takes too long. */
export function comparePeers(work: PeerWork): Comparison {
  const { presets, rounds, clock, models, installed } = work
  const configs = presets.map(({ config, ...preset }) => ({ ...preset, config: aConfig(config) }))
  const files = configs.map(({ name, config, prompt, together, sampled }) => {
    const path = join(models, `${name}.gguf`)
    writeGguf(path, join(models, name), config)
    return { name, path, prompt, together, sampled }
  })
  const torch = forEachCount(work.threads, (threads) => runTorch(installed.torch, { presets: configs, threads: [threads], rounds, clock }))
  const llama = forEachCount(work.threads, (threads) =>
    runLlama(installed.llama, { models: files, threads: [threads], rounds: Math.min(rounds, 3), clock }),
  )
  return { torch, llama, ratios: work.own.map((own) => ratiosOf(own, { torch, llama, greedy: work.greedy })) }
}

/** One count of threads that is not measured takes nothing from the others. */
function forEachCount(counts: readonly number[], measure: (threads: number) => PeerSpeeds[]): PeerOutcome {
  const outcome: PeerOutcome = { speeds: [], notMeasured: [] }
  for (const threads of counts) {
    try {
      outcome.speeds.push(...measure(threads))
    } catch (error) {
      outcome.notMeasured.push(`with ${threads} threads: ${(error as Error).message.split('\n')[0]}`)
    }
  }
  return outcome
}

function ratiosOf(own: OwnSpeeds, peers: Pick<Comparison, 'torch' | 'llama'> & Pick<PeerWork, 'greedy'>): Record<string, string | number> {
  const find = ({ speeds }: PeerOutcome) => speeds.find(({ preset, threads }) => preset === own.preset && threads === own.threads)
  const torch = find(peers.torch)
  const llama = find(peers.llama)
  const ratio = (mine: number, theirs: number | undefined) => (theirs ? round(mine / theirs) : '')
  const expected = peers.greedy.get(own.preset) ?? []
  const same = llama?.greedy?.filter((token, at) => token === expected[at]).length
  return {
    preset: own.preset,
    threads: own.threads,
    'train all / PyTorch': ratio(own.trainAll, torch?.trainAll),
    'train adapter / PyTorch': ratio(own.trainAdapter, torch?.trainAdapter),
    'read / PyTorch': ratio(own.read, torch?.read),
    'sample 1 / PyTorch': ratio(own.sample1, torch?.sample1),
    'sample many / PyTorch': ratio(own.sampleMany, torch?.sampleMany),
    'read / llama.cpp': ratio(own.read, llama?.read),
    'sample 1 / llama.cpp': ratio(own.sample1, llama?.sample1),
    'sample many / llama.cpp': ratio(own.sampleMany, llama?.sampleMany),
    'likeliest tokens as llama.cpp': same === undefined ? '' : `${same} of ${expected.length}`,
  }
}
