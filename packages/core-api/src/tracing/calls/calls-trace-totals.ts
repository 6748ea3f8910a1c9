import { z } from 'zod'
import { listOf } from '../../shapes/bounded.ts'
import { Identifier } from '../../shapes/identifier.ts'
import { lenientIntBetween, LenientCount, LenientNumber } from '../../shapes/lenient.ts'
import { orDefault, orNull } from '../../shapes/optional.ts'
import { ProjectId } from '../../shapes/project.ts'
import { Timestamp } from '../../shapes/timestamp.ts'

const least = (what: string) => `Least ${what} of a trace. Null: any`

/** Selects traces that started in a time range by the totals of their calls. All given parts must hold. */
export const CallsTraceTotals = z.object({
  project_id: ProjectId,
  start: orNull(Timestamp).describe('Start of the range, inclusive. Null: any, with `trace_ids`'),
  end: orNull(Timestamp).describe('End of the range, exclusive, at most 31 days after the start. Null: now, or any with `trace_ids`'),
  min_calls: orNull(LenientCount).describe(least('number of calls')),
  min_errors: orNull(LenientCount).describe(least('number of calls with an exception')),
  min_tokens: orNull(LenientCount).describe(least('number of input and output tokens')),
  min_cost: orNull(LenientNumber).describe(`${least('cost')}. A trace without any known price has none`),
  min_duration_ms: orNull(LenientNumber).describe(`${least('milliseconds from the first start to the last end')}`),
  trace_ids: orNull(listOf(Identifier, 1_000)).describe('Of these traces alone. Null: of all'),
  limit: orDefault(lenientIntBetween(1, 1_000), 100).describe('Traces to return, 1 to 1000: the newest'),
})
export type CallsTraceTotals = z.output<typeof CallsTraceTotals>

/** Totals of the calls of one trace. */
export const TraceTotal = z
  .object({
    trace_id: z.string().describe('Id of the trace'),
    root_call_id: z
      .string()
      .nullable()
      .describe('Its root: the first call without a parent, else the first whose parent is not in the trace'),
    is_parent_missing: z.boolean().describe('The root names a parent that is not in the trace: one that was not sent, or was deleted'),
    thread_id: z.string().nullable().describe('Thread of the root, else of the first call that names one'),
    status: z
      .enum(['success', 'error', 'running', 'descendant_error'])
      .describe('That of the root; `descendant_error` where it succeeded and another call failed'),
    started_at: z.string().describe('Its first start'),
    duration_ms: z.number().describe('From the first start to the last end, or the last start while nothing has ended'),
    calls: z.number().describe('Calls'),
    errors: z.number().describe('Calls with an exception'),
    tokens: z.number().nullable().describe('Input and output tokens, counted where a model was called. Null for none'),
    cost: z
      .number()
      .nullable()
      .describe(
        'Cost of the tokens at the price in force when each call started; of models without one, what their calls say that they cost. Null when nothing is known',
      ),
    reported_uses: z.number().describe('Uses of models without a known price whose `cost` is the one that their calls carry'),
    priced_as: z
      .array(z.string())
      .describe('Names of the prices of models that have none under their own name: `gpt-4o` for `openai/gpt-4o`. Sorted'),
    is_behind: z
      .boolean()
      .describe(
        'Calls were written or have expired since these numbers were computed: traces of more than 20,000 calls follow some seconds later',
      ),
    unpriced_uses: z.number().describe('Uses of models without a known price, which `cost` leaves out'),
  })
  .meta({ id: 'TraceTotal' })
export type TraceTotal = z.output<typeof TraceTotal>

/** Traces, the newest first. */
export const TraceTotals = z.object({
  traces: z.array(TraceTotal).describe('By first start, descending, then by id'),
  has_more: z.boolean().describe('True when there are traces beyond the limit'),
})
export type TraceTotals = z.output<typeof TraceTotals>
