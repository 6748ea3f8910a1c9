import { z } from 'zod'
import { listOf, tooManyToMatch } from './bounded.ts'
import { LenientBoolean } from './lenient.ts'
import { orNull } from './optional.ts'

const list = (meaning: string) => orNull(listOf(z.string(), 1000, tooManyToMatch)).describe(meaning)

/** Which calls. All given parts must hold; inside a list any entry matches; null means not given. Unknown keys are refused. */
export const CallsFilter = z
  .strictObject({
    op_names: list('Exact text of `op_name`; an entry ending in `:*` matches every version'),
    input_refs: list('Calls with any of these refs in their inputs; an entry ending in `:*` matches every version'),
    output_refs: list('Calls with any of these refs in their output; an entry ending in `:*` matches every version'),
    parent_ids: list('Ids of parent calls'),
    trace_ids: list('Ids of traces'),
    call_ids: list('Ids of calls'),
    thread_ids: list('Ids of threads. An empty list matches nothing'),
    turn_ids: list('Ids of turns. An empty list matches nothing'),
    trace_roots_only: orNull(LenientBoolean).describe('True: only calls without a parent'),
    wb_user_ids: list('Ids of users'),
    wb_run_ids: list('Runs as `entity/project/run`, or a bare run id of the queried project'),
  })
  .meta({ id: 'CallsFilter' })
export type CallsFilter = z.output<typeof CallsFilter>
