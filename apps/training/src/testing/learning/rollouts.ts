import type { Engine, ModelVersion, SampledToken } from '../../engine/engine.ts'
import type { Trajectory, TrajectoryGroup } from '../../sequences/trajectory.ts'
import type { ChatTokenizer } from '../../tokenizer/chat-tokenizer.ts'
import { plainSampling } from '../../engine/plain-sampling.ts'
import type { VerifiedPrompt } from './verifier-tasks.ts'

export interface RolloutOptions {
  engine: Engine
  tokenizer: ChatTokenizer
  version: ModelVersion
  attempts: number
  maxTokens: number
  seed: bigint
  signal: AbortSignal
}

/** Samples attempts at a prompt, as chat completions of a client would be, each with its reward. */
export async function rollOut(prompt: VerifiedPrompt, options: RolloutOptions): Promise<TrajectoryGroup & { rewards: number[] }> {
  const { tokenizer, attempts, seed } = options
  const tokens = tokenizer.encode(tokenizer.render({ ...prompt.conversation, addGenerationPrompt: true }))
  const seeds = Array.from({ length: attempts }, (_, index) => seed + BigInt(index))
  const completions = await sample(tokens, seeds, options)
  const trajectories = completions.map((sampled) => toTrajectory(prompt, { tokens, sampled, tokenizer }))
  return { trajectories, rewards: trajectories.map(({ reward }) => reward) }
}

async function sample(
  prompt: Int32Array,
  seeds: readonly bigint[],
  { engine, tokenizer, version, maxTokens, signal }: RolloutOptions,
): Promise<SampledToken[][]> {
  const settings = { ...plainSampling, maxTokens, stopTokens: [...tokenizer.special.stop] }
  const completions: SampledToken[][] = seeds.map(() => [])
  for await (const sampled of engine.generate({ version, prompt, settings, seeds }, signal)) {
    for (const token of sampled) completions[token.completion]?.push(token)
  }
  return completions
}

interface Rollout {
  tokens: Int32Array
  sampled: readonly SampledToken[]
  tokenizer: ChatTokenizer
}

function toTrajectory({ conversation, reward }: VerifiedPrompt, { tokens, sampled, tokenizer }: Rollout): Trajectory & { reward: number } {
  const isEnded = sampled.at(-1)?.finish === 'stop'
  const said = tokenizer.decode((isEnded ? sampled.slice(0, -1) : sampled).map(({ token }) => token))
  const choice = {
    finish_reason: isEnded ? 'stop' : 'length',
    index: 0,
    message: { role: 'assistant', content: said },
    logprobs: { content: sampled.map(({ token, logProbability }) => ({ token: `token_id:${token}`, logprob: logProbability })) },
    token_ids: sampled.map(({ token }) => token),
    prompt_token_ids: [...tokens],
  }
  const { messages, tools } = conversation
  return { messages_and_choices: [...messages, choice], tools: tools ?? null, reward: isEnded ? reward(said) : 0 }
}
