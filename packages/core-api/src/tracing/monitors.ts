import { z } from 'zod'
import { defineResource } from '../operation.ts'
import { LenientInt } from '../shapes/lenient.ts'
import { orNull } from '../shapes/optional.ts'
import { ProjectPath } from '../shapes/project.ts'
import { TimestampText } from '../shapes/timestamp.ts'

const count = (what: string) => z.number().describe(what)

/** A monitor and its results. Counts cover all its versions, until the object is deleted. */
export const Monitor = z
  .object({
    object_id: z.string().describe('Name of the object'),
    ref: z.string().describe('Reference to its latest version, which is the one that works'),
    active: z.boolean().describe('False for an inactive one, and for one whose settings cannot be read'),
    sampling_rate: z
      .number()
      .nullable()
      .describe('Share of the matching calls that is scored, 0 to 1. Null where the settings cannot be read'),
    op_names: z.array(z.string()).describe('Ops whose calls it scores. Empty: all'),
    scorers: z.array(z.string()).describe('References to its scorers'),
    activated_at: TimestampText.nullable().describe('Calls that ended before are not scored. Null while no server works on it'),
    watermark: TimestampText.nullable().describe('Calls that were stored until then have been looked at. Null while no server works on it'),
    sampled: count('Scores requested: sampled calls times scorers'),
    skipped: count('Matching calls that were not chosen. A call that is changed after its end may count again'),
    pending: count('Scores that wait or are being made'),
    scored: count('Scores made, of those whose calls are still stored'),
    failed: count('Scores that failed, of those whose calls or jobs are still stored'),
    prompt_tokens: count('Tokens that judges read, of scores that are still stored'),
    completion_tokens: count('Tokens that judges wrote, of the same'),
    total_cost: count(
      'What these tokens cost, by the prices of the project and of the server; of models without one, what their calls say that they cost. Tokens without either cost 0',
    ),
    priced_as: z
      .array(z.string())
      .describe('Names of the prices of models that have none under their own name: `gpt-4o` for `openai/gpt-4o`. Sorted'),
    reported_uses: count('Uses of models without a known price whose `total_cost` is the one that their calls carry'),
    unpriced_uses: count('Uses of models without a known price, which `total_cost` leaves out'),
    error: z.string().nullable().describe('Why it scores nothing now. Null where it does, or is inactive'),
  })
  .meta({ id: 'Monitor' })
export type Monitor = z.output<typeof Monitor>

/** Objects of the class `Monitor`, which score new calls on the server. */
export const monitors = defineResource('Scorers that judge new calls on the server', {
  list: {
    method: 'GET',
    path: '/v2/{entity}/{project}/monitors',
    effect: 'read',
    summary: 'List monitors with what they scored, skipped and cost',
    description:
      'A monitor is an object of the class `Monitor` with `scorers`, `op_names`, `query`, `sampling_rate` and `active`; publishing a version with another `active` switches it on or off. An active one scores a share of the calls that end from then on, as jobs: about 10 seconds after the end of a call was stored, or a minute where several servers share a store. Scores are feedback whose `trigger_ref` is the monitor. Needs a configured model provider.',
    params: ProjectPath,
    query: z.object({
      limit: orNull(LenientInt).describe('Maximum number of monitors, 1 to 1000. Null: 100'),
      offset: orNull(LenientInt).describe('Monitors to skip first'),
    }),
    output: z.object({ monitors: z.array(Monitor).describe('By name') }),
  },
})
