import { z } from 'zod'
import { listOf, tooLargeBatch } from '../../shapes/bounded.ts'
import { orNull } from '../../shapes/optional.ts'
import { CompletedCall, EndedCall, StartedCall } from './call-records.ts'

/** Ids of a call whose start was stored. */
export const CallIds = z.object({
  id: z.string().describe('Id of the call'),
  trace_id: z.string().describe('Id of its trace'),
})
export type CallIds = z.output<typeof CallIds>

const half = z
  .object({
    start: StartedCall.nullish().describe('First half of a call'),
    end: EndedCall.nullish().describe('Second half of a call'),
  })
  .check((context) => {
    const { start, end } = context.value
    if (Boolean(start) !== Boolean(end)) return
    const message = `Input should hold either start or end, got ${start ? 'both' : 'neither'}`
    context.issues.push({ code: 'custom', message, params: { type: 'call_half' }, input: context.value })
  })

/** Halves of calls. `mode` is `start` or `end`; without it the content of `req` decides. */
export const CallBatch = z.object({
  batch: listOf(
    z.object({ mode: orNull(z.string()).describe('`start` or `end`. Null: as `req` says'), req: half }),
    20_000,
    tooLargeBatch,
  ).describe('Call starts and ends, in any order'),
})
export type CallBatch = z.output<typeof CallBatch>

/** Results in the order of the batch: ids for a start, an empty object for an end. */
export const CallBatchAnswer = z.object({
  res: z.array(z.union([CallIds, z.object({})])).describe('One result per item of the batch, in the same order'),
})
export type CallBatchAnswer = z.output<typeof CallBatchAnswer>

/** Whole calls. */
export const CompletedCallBatch = z.object({ batch: listOf(CompletedCall, 20_000, tooLargeBatch).describe('Finished calls') })
export type CompletedCallBatch = z.output<typeof CompletedCallBatch>
