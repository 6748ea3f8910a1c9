import { z } from 'zod'
import { CallsFilter } from '../../shapes/calls-filter.ts'
import { lenientIntBetween } from '../../shapes/lenient.ts'
import { orDefault, orNull } from '../../shapes/optional.ts'
import { ProjectId } from '../../shapes/project.ts'
import { Timestamp } from '../../shapes/timestamp.ts'

/** Usage of a time range, by what it is grouped. */
export const CallsUsageTotals = z.object({
  project_id: ProjectId,
  start: Timestamp.describe('Start of the range, inclusive'),
  end: orNull(Timestamp).describe('End of the range, exclusive, at most 31 days after the start. Null: now'),
  group_by: z.enum(['model', 'op', 'user', 'thread']).describe('What the groups are'),
  filter: orNull(CallsFilter).describe('Which calls'),
  limit: orDefault(lenientIntBetween(1, 1_000), 100).describe('Groups to return, 1 to 1000: those with the most tokens'),
})
export type CallsUsageTotals = z.output<typeof CallsUsageTotals>

const tokens = z.number()

/** The usage of one model, op, user or thread. */
export const UsageTotal = z
  .object({
    key: z
      .string()
      .nullable()
      .describe(
        'Name of the model; op ref without its version, or plain op name; id of the user; id of the thread. Null: calls without one',
      ),
    uses: z.number().describe('Entries of usage that were summed up: one per call and model'),
    input_tokens: tokens,
    output_tokens: tokens,
    cache_read_input_tokens: tokens,
    cache_creation_input_tokens: tokens,
    cost: z.number().nullable().describe('Cost of the tokens at the latest price of each model. Null when no model has a price'),
    unpriced_uses: z.number().describe('Uses of models without a known price, which `cost` leaves out'),
  })
  .meta({ id: 'UsageTotal' })
export type UsageTotal = z.output<typeof UsageTotal>

/** Groups with the most tokens first. */
export const UsageTotals = z.object({
  groups: z.array(UsageTotal).describe('By tokens, descending, then by key'),
  groups_left_out: z.number().describe('Groups beyond the limit'),
})
export type UsageTotals = z.output<typeof UsageTotals>
