import { assertFiniteOptions } from '@heddle/core-api/internal'
import { isJsonObject, objectsOf, parseObject } from '../capture/json-values.ts'
import type { RecordedGroup, RecordedTrajectory } from '../trajectory/recorded.ts'
import { answerFormat, attemptKey, defaultRubric, toJudgeMessages } from './judge-prompt.ts'
import { type JudgeScore, parseScores } from './judge-scores.ts'

export interface RulerOptions {
  /** Model that judges, as its endpoint names it. */
  model: string
  /** Address of an OpenAI-compatible endpoint, such as `http://127.0.0.1:7400/v1`. */
  baseUrl: string
  apiKey?: string | undefined
  /** What makes an attempt better than another. */
  rubric?: string | undefined
  /** Requests for one group, when an answer cannot be read or the endpoint is busy: 1 to 10. Default 3. */
  tries?: number
  /** Timeout of one request. Default 120,000. */
  timeoutMs?: number
  /** Default: the global one. Pass that of an instrumented client to have the judge's requests traced. */
  fetch?: typeof fetch
}

/** A model that scores the attempts of a group against each other (RULER). */
export interface Judge {
  /**
   * A new group whose rewards are the judge's scores, 0 to 1. The reward before is kept in `metrics.independent_reward`, the explanation in the logs.
   * @throws JudgeFailed
   */
  score(group: RecordedGroup, options?: { signal?: AbortSignal | undefined }): Promise<RecordedGroup>
}

/** A group could not be judged. The message names the group, and says why. */
export class JudgeFailed extends Error {
  override readonly name = 'JudgeFailed'
}

const maxAnswerCharacters = 4 * 2 ** 20

/** @throws TypeError for options that cannot work; RangeError for numbers that cannot */
export function createRuler(options: RulerOptions): Judge {
  const { rubric = defaultRubric, tries = 3 } = options
  assertFiniteOptions(options)
  if (!URL.canParse(options.baseUrl))
    throw new TypeError(`baseUrl of the judge must be an address such as http://127.0.0.1:7400/v1, got "${options.baseUrl}"`)
  if (!Number.isInteger(tries) || tries < 1 || tries > 10)
    throw new RangeError(`tries must be a whole number from 1 to 10, got ${String(tries)}`)

  async function judge(trajectories: readonly RecordedTrajectory[], signal: AbortSignal | undefined): Promise<JudgeScore[]> {
    const messages = toJudgeMessages(trajectories, rubric)
    for (let left = tries - 1; ; left--) {
      try {
        return parseScores(await ask(options, messages, signal), trajectories.length)
      } catch (error) {
        if (left === 0 || signal?.aborted || error instanceof EndpointRefusal) throw error
      }
    }
  }

  return {
    async score(group, { signal } = {}) {
      const { trajectories } = group
      if (trajectories.length === 0) return group
      const name = String(group.metadata['group_id'] ?? 'without an id')
      if (trajectories.some(({ additional_histories: more }) => more.length > 0))
        throw new JudgeFailed(`group ${name}: a judge compares single conversations, and an attempt has additional histories`)
      const isOne = new Set(trajectories.map(attemptKey)).size === 1
      const shown = isOne ? trajectories.slice(0, 1) : trajectories
      const scores = await judge(shown, signal).catch((error: unknown) => {
        throw new JudgeFailed(`group ${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
      })
      return { ...group, trajectories: trajectories.map((one, at) => withScore(one, scores[isOne ? 0 : at])) }
    },
  }
}

function withScore(trajectory: RecordedTrajectory, given: JudgeScore | undefined): RecordedTrajectory {
  if (!given) return trajectory
  return {
    ...trajectory,
    reward: given.score,
    metrics: { ...trajectory.metrics, independent_reward: trajectory.reward, ruler_score: given.score },
    logs: [...trajectory.logs, `RULER explanation: ${given.explanation}`],
  }
}

/** The endpoint will not answer otherwise to the same request. */
class EndpointRefusal extends Error {}

async function ask(
  { baseUrl, apiKey, model, timeoutMs = 120_000, ...options }: RulerOptions,
  messages: object[],
  signal?: AbortSignal,
): Promise<string> {
  const timeout = AbortSignal.timeout(timeoutMs)
  const response = await (options.fetch ?? fetch)(`${baseUrl.replace(/\/+$/, '')}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }) },
    body: JSON.stringify({ model, messages, temperature: 0, response_format: answerFormat }),
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  })
  const text = await readText(response)
  if (!response.ok) {
    const words = `the judge ${model} answered HTTP ${response.status}: ${text.slice(0, 200)}`
    throw response.status < 500 && response.status !== 429 ? new EndpointRefusal(words) : new Error(words)
  }
  const [choice] = objectsOf(parseObject(text)?.['choices'])
  const content = isJsonObject(choice?.['message']) ? choice['message']['content'] : undefined
  if (typeof content === 'string') return content
  throw new Error(`the judge ${model} answered without a message`)
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const part of response.body ?? []) {
    text += decoder.decode(part as Uint8Array, { stream: true })
    if (text.length > maxAnswerCharacters) throw new Error(`the judge's answer is longer than ${maxAnswerCharacters} characters`)
  }
  return text
}
