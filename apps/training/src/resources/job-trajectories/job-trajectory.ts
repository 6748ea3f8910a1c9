import type { JobTrajectory } from '@heddle/core-api/types'
import { parseTrajectory } from '../../request-body/parse-trajectory.ts'
import { readExchanges } from '../../sequences/read-exchanges.ts'
import { scoredTokens } from '../../sequences/sampled-tokens.ts'
import { isChoice, type MessageOrChoice, type TokenLogProbability } from '../../sequences/trajectory.ts'
import { historiesOf, type SentTrajectory, toStoredTrajectory } from '../trajectories/logged-group.ts'

export interface JobTrajectoryOptions {
  id: string
  advantage: number
  /** Whether choices include their tokens. */
  withTokens: boolean
  /** Whether a recorded response is of the model under training, by the name in it. */
  isTrainedModel: (name: string) => boolean
}

/** A trajectory of a body that was checked, from its JSON text. */
export function toJobTrajectory(text: string, { id, advantage, withTokens, isTrainedModel }: JobTrajectoryOptions): JobTrajectory {
  const sent = parseTrajectory(text) as SentTrajectory
  const histories = sent.exchanges == null ? historiesOf(sent) : readExchanges(sent.exchanges, { isTrainedModel, place: id })
  return { id, ...toStoredTrajectory(sent, histories, (element) => choiceFields(element, withTokens)), advantage }
}

function choiceFields(element: MessageOrChoice, withTokens: boolean): Record<string, unknown> {
  if (!isChoice(element)) return {}
  const { finish_reason = null } = element as { finish_reason?: unknown }
  return { finish_reason, ...(withTokens && { sampled_tokens: scoredTokens(element).map(toSampledToken) }) }
}

/** Not computed is not a number on the wire: JSON has none. */
function toSampledToken(entry: TokenLogProbability & { bytes?: unknown }): { token: string; logprob: number | null } {
  const { token, logprob, bytes } = entry
  const isId = token.startsWith('token_id:') && Array.isArray(bytes)
  return { token: isId ? Buffer.from(bytes as number[]).toString() : token, logprob: Number.isFinite(logprob) ? logprob : null }
}
