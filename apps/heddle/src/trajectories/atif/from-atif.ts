import type { JsonObject } from '@heddle/core-api'
import { stringifyJson } from '@heddle/json'
import { UsageError } from '../../terminal/usage-error.ts'
import { type AtifDocument, type AtifStep, toNumber } from './atif-document.ts'

type Element = JsonObject

/**
 * A document as a trajectory of Heddle. Steps of the agent with token ids and log-probabilities are choices, which are trained on; other steps are
 * messages, and so are those that were copied from another trajectory. Subagents are further histories.
 * @throws UsageError that names the step which cannot be a message
 */
export function fromAtif(document: AtifDocument, place: string): Element {
  const [main, ...others] = historiesOf(document, place)
  const { trajectory_id: id, session_id, agent } = document
  return {
    ...main!,
    additional_histories: others,
    metadata: {
      ...(id != null && { trajectory_id: id }),
      ...(session_id != null && { session_id }),
      agent: agent.name,
      agent_version: agent.version,
      ...(agent.model_name != null && { model: agent.model_name }),
    },
  }
}

function historiesOf(document: AtifDocument, place: string): Element[] {
  const messages_and_choices = document.steps.flatMap((step, at) => elementsOf(step, `${place}, steps.${at}`))
  const own = { messages_and_choices, tools: document.agent.tool_definitions ?? null }
  return [own, ...document.subagents.flatMap((subagent, at) => historiesOf(subagent, `${place}, subagent_trajectories.${at}`))]
}

function elementsOf(step: AtifStep, place: string): Element[] {
  const { source, observation } = step
  const content = textOf(step.message, `${place}.message`)
  const own = source === 'agent' ? sampledOr(step, assistantMessage(step, content), place) : { role: source, content }
  const results = (observation?.results ?? []).map((result, at): Element => {
    const text = textOf(result.content ?? '', `${place}.observation.results.${at}.content`)
    return result.source_call_id == null
      ? { role: 'user', content: text }
      : { role: 'tool', tool_call_id: result.source_call_id, content: text }
  })
  return [own, ...results]
}

function assistantMessage({ reasoning_content: reasoning, tool_calls: calls }: AtifStep, content: string): Element {
  const tool_calls = (calls ?? []).map(({ tool_call_id: id, function_name: name, arguments: given, extra }) => {
    const written = extra?.['raw_arguments']
    return { id, type: 'function', function: { name, arguments: typeof written === 'string' ? written : stringifyJson(given) } }
  })
  return {
    role: 'assistant',
    content: content === '' && tool_calls.length > 0 ? null : content,
    ...(reasoning != null && { reasoning_content: reasoning }),
    ...(tool_calls.length > 0 && { tool_calls }),
  }
}

/** A choice where the step says which tokens one inference sampled, else the message. */
function sampledOr(step: AtifStep, message: Element, place: string): Element {
  const { completion_token_ids: ids, logprobs, prompt_token_ids: prompt } = step.metrics ?? {}
  const calls = toNumber(step.llm_call_count ?? 1)
  if (ids == null || logprobs == null || ids.length === 0 || step.is_copied_context === true || calls !== 1) return message
  if (ids.length !== logprobs.length)
    throw new UsageError(`${place}.metrics has ${ids.length} completion_token_ids and ${logprobs.length} logprobs; each token needs one`)
  const content = ids.map((id, at) => ({ token: `token_id:${toNumber(id)}`, logprob: logprobs[at], bytes: null, top_logprobs: [] }))
  return {
    index: 0,
    finish_reason: message['tool_calls'] === undefined ? 'stop' : 'tool_calls',
    message,
    logprobs: { content, refusal: null },
    token_ids: ids.map(toNumber),
    ...(prompt != null && { prompt_token_ids: prompt.map(toNumber) }),
  }
}

function textOf(content: AtifStep['message'], place: string): string {
  if (typeof content === 'string') return content
  const other = content.find(({ type }) => type !== 'text')
  if (other) throw new UsageError(`${place} has a part of type "${other.type.slice(0, 50)}"; models here take text alone`)
  return content.map(({ text }) => text ?? '').join('')
}
