import { z } from 'zod'
import { CallsFilter } from '../../shapes/calls-filter.ts'
import { Identifier } from '../../shapes/identifier.ts'
import { LenientBoolean, lenientIntBetween } from '../../shapes/lenient.ts'
import { orDefault, orNull } from '../../shapes/optional.ts'
import { ProjectId } from '../../shapes/project.ts'
import { Timestamp } from '../../shapes/timestamp.ts'

/** Usage of a time range, with its grouping. */
export const CallsUsageTotals = z.object({
  project_id: ProjectId,
  start: Timestamp.describe('Start of the range, inclusive'),
  end: orNull(Timestamp).describe('End of the range, exclusive, at most 31 days after the start. Null: now'),
  group_by: z
    .enum(['model', 'op', 'user', 'thread', 'status', 'day'])
    .describe('What the groups are. By status and day, usage is in the group of the call that used it'),
  timezone: orDefault(Identifier, 'UTC').describe('IANA name of the time zone whose days are the groups by day'),
  filter: orNull(CallsFilter).describe('Which calls'),
  include_calls: orDefault(LenientBoolean, false).describe('Fill `calls`'),
  limit: orDefault(lenientIntBetween(1, 1_000), 100).describe('Groups to return, 1 to 1000: those with the most tokens'),
})
export type CallsUsageTotals = z.output<typeof CallsUsageTotals>

const tokens = z.number()
const latency = z.number().nullable()

/** The calls whose usage a group sums up. */
const CountedCalls = z
  .object({
    count: z.number().describe('Calls'),
    errors: z.number().describe('Calls with an exception'),
    p50_latency_ms: latency.describe('Median of their milliseconds from start to end. Null while none has ended'),
    p95_latency_ms: latency.describe('95th percentile of the same'),
  })
  .meta({ id: 'CountedCalls' })

/** The usage of one model, op, user, thread, status or day. */
export const UsageTotal = z
  .object({
    key: z
      .string()
      .nullable()
      .describe(
        'Name of the model; op ref without its version, or plain op name; id of the user; id of the thread; `success`, `error`, `running` or `descendant_error`, as calls are found by `summary.weave.status`; date of the day. Null: calls without one',
      ),
    uses: z.number().describe('Entries of usage that were summed up: one per call and model'),
    input_tokens: tokens,
    output_tokens: tokens,
    total_tokens: tokens.describe('Input and output; of uses that tell neither, the total that they tell'),
    cache_read_input_tokens: tokens,
    cache_creation_input_tokens: tokens,
    cost: z
      .number()
      .nullable()
      .describe(
        'Cost of the tokens at the price in force when each call started; of models without one, what their calls say that they cost. Null when nothing is known',
      ),
    unpriced_uses: z
      .number()
      .describe('Uses without a known price, which `cost` leaves out: of models that have none, and those that tell only their total'),
    reported_uses: z.number().describe('Uses without a known price whose `cost` is the one that their calls carry'),
    calls: CountedCalls.optional().describe('The calls whose usage was summed up. Absent unless requested'),
    priced_as: z
      .array(z.string())
      .describe('Names of the prices of models that have none under their own name: `gpt-4o` for `openai/gpt-4o`. Sorted'),
  })
  .meta({ id: 'UsageTotal' })
export type UsageTotal = z.output<typeof UsageTotal>

/** Groups with the most tokens first. */
export const UsageTotals = z.object({
  groups: z.array(UsageTotal).describe('By tokens, descending, then by key'),
  groups_left_out: z.number().describe('Groups beyond the limit'),
  traces_behind: z
    .number()
    .describe(
      'Traces of the project whose calls these sums do not have all yet: those of more than 20,000 calls follow some seconds later',
    ),
})
export type UsageTotals = z.output<typeof UsageTotals>
