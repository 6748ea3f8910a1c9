import { checked, LenientBoolean, LenientInt, orDefault, orNull, Refusal } from '@heddle/core-api/internal'
import { z } from 'zod'
import { findSchemaProblem } from './json-schema-problem.ts'
import { findBaseUrlProblem, findHeaderProblem } from './provider-rules.ts'

const base = { name: orNull(z.string()), description: orNull(z.string()) }

const FieldSchema = checked<Record<string, unknown>>((value) => {
  const problem = findSchemaProblem(value)
  return problem === undefined ? (value as Record<string, unknown>) : new Refusal('json_schema', problem)
}, {})

const BaseUrl = z.string().superRefine((url, context) => {
  const message = findBaseUrlProblem(url)
  if (message !== undefined) context.addIssue({ code: 'custom', message })
})

const ExtraHeaders = z.record(z.string(), z.string()).superRefine((headers, context) => {
  const message = Object.keys(headers)
    .map(findHeaderProblem)
    .find((problem) => problem !== undefined)
  if (message !== undefined) context.addIssue({ code: 'custom', message })
})

const LeaderboardColumn = z.object({
  evaluation_object_ref: z.string(),
  scorer_name: z.string(),
  summary_metric_path: z.string(),
  should_minimize: orNull(LenientBoolean),
})

/** Keeps whatever is given: these classes serve screens, which define their own fields. */
const open = z.looseObject(base)

/** The classes whose values the server completes. Validated ones drop unknown keys and fill in defaults. */
export const builtinClasses: ReadonlyMap<string, z.ZodType<Record<string, unknown>>> = new Map<string, z.ZodType<Record<string, unknown>>>([
  [
    'AnnotationSpec',
    z.object({
      ...base,
      field_schema: orDefault(FieldSchema, {}),
      unique_among_creators: orDefault(LenientBoolean, false),
      op_scope: orNull(z.array(z.string())),
    }),
  ],
  [
    'Provider',
    z.object({
      ...base,
      base_url: BaseUrl,
      api_key_name: z.string(),
      extra_headers: orDefault(ExtraHeaders, {}),
      return_type: orDefault(z.literal('openai'), 'openai'),
    }),
  ],
  ['ProviderModel', z.object({ ...base, provider: z.string(), max_tokens: LenientInt })],
  ['Leaderboard', z.object({ ...base, columns: z.array(LeaderboardColumn) })],
  ...['AlertSpec', 'SavedView', 'ComparisonView', 'LLMStructuredCompletionModel', 'ChartConfig', 'AgentDashboard', 'ActionSpec'].map(
    (name): [string, z.ZodType<Record<string, unknown>>] => [name, open],
  ),
])
