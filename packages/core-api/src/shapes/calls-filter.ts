import { z } from 'zod'
import { Identifier, Reference } from './identifier.ts'
import { listOf, tooManyToMatch } from './bounded.ts'
import { LenientBoolean } from './lenient.ts'
import { orNull } from './optional.ts'

const list = (entry: z.ZodType<string, string>, meaning: string) => orNull(listOf(entry, 1000, tooManyToMatch)).describe(meaning)

/** Which calls. All given parts must hold; inside a list any entry matches; null means not given. Unknown keys are refused. */
export const CallsFilter = z
  .strictObject({
    op_names: list(Reference, 'Exact text of `op_name`; an entry ending in `:*` matches every version'),
    input_refs: list(Reference, 'Calls with any of these refs in their inputs; an entry ending in `:*` matches every version'),
    output_refs: list(Reference, 'Calls with any of these refs in their output; an entry ending in `:*` matches every version'),
    parent_ids: list(Identifier, 'Ids of parent calls'),
    trace_ids: list(Identifier, 'Ids of traces'),
    call_ids: list(Identifier, 'Ids of calls'),
    thread_ids: list(
      z.string(),
      'Ids of threads; with `trace_roots_only` those of the traces, which a call below the root may name. An empty list matches nothing',
    ),
    turn_ids: list(z.string(), 'Ids of turns. An empty list matches nothing'),
    trace_roots_only: orNull(LenientBoolean).describe(
      'True: only roots of traces: calls without a parent, or whose parent is not in the trace',
    ),
    wb_user_ids: list(Identifier, 'Ids of users'),
    wb_run_ids: list(Identifier, 'Runs as `entity/project/run`, or a bare run id of the queried project'),
  })
  .meta({ id: 'CallsFilter' })
export type CallsFilter = z.output<typeof CallsFilter>
