import { isJsonNumber } from '@heddle/json'
import { z } from 'zod'
import { UsageError } from '../../terminal/usage-error.ts'

/*
 * The Agent Trajectory Interchange Format of Harbor (RFC 0001), versions 1.0 to 1.8, as far as training and display need it. Other members are
 * allowed. A step is a message, with the results of its tool calls in the same step.
 */

const Part = z.looseObject({ type: z.string(), text: z.string().nullish() })
const Text = z.union([z.string(), z.array(Part)])
const Numbers = z.array(z.unknown().refine((value) => Number.isFinite(toNumber(value)), 'expected a finite number')).nullish()

const ToolCall = z.looseObject({
  tool_call_id: z.string(),
  function_name: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  extra: z.record(z.string(), z.unknown()).nullish(),
})

const Step = z.looseObject({
  source: z.enum(['system', 'user', 'agent']),
  message: Text,
  reasoning_content: z.string().nullish(),
  tool_calls: z.array(ToolCall).nullish(),
  observation: z
    .looseObject({ results: z.array(z.looseObject({ source_call_id: z.string().nullish(), content: Text.nullish() })) })
    .nullish(),
  metrics: z.looseObject({ prompt_token_ids: Numbers, completion_token_ids: Numbers, logprobs: Numbers }).nullish(),
  is_copied_context: z.boolean().nullish(),
  llm_call_count: z.unknown().optional(),
})
export type AtifStep = z.output<typeof Step>

const Document = z.looseObject({
  schema_version: z.string().regex(/^ATIF-v1\.\d+$/),
  session_id: z.string().nullish(),
  trajectory_id: z.string().nullish(),
  agent: z.looseObject({
    name: z.string(),
    version: z.string(),
    model_name: z.string().nullish(),
    tool_definitions: z.array(z.record(z.string(), z.unknown())).nullish(),
  }),
  steps: z.array(Step).min(1),
  extra: z.record(z.string(), z.unknown()).nullish(),
})

export interface AtifDocument extends z.output<typeof Document> {
  subagents: AtifDocument[]
}

/** Subagents of subagents that are read. */
const maxDepth = 8

/** @throws UsageError that names the file and the member which does not fit */
export function readAtifDocument(value: unknown, place: string, depth = 0): AtifDocument {
  if (depth > maxDepth) throw new UsageError(`${place} has subagents more than ${maxDepth} deep`)
  const { data, error } = Document.safeParse(value)
  if (error) {
    const [issue] = error.issues
    throw new UsageError(`${place} is not an ATIF trajectory: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`)
  }
  const subagents = Array.isArray(data['subagent_trajectories']) ? data['subagent_trajectories'] : []
  return {
    ...data,
    subagents: subagents.map((each, at) => readAtifDocument(each, `${place}, subagent_trajectories.${at}`, depth + 1)),
  }
}

/** A number as it was parsed; NaN for anything else. */
export function toNumber(value: unknown): number {
  return typeof value === 'number' ? value : isJsonNumber(value) ? Number(value.text) : Number.NaN
}
