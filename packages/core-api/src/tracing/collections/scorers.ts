import { z } from 'zod'
import { orNull } from '../../shapes/optional.ts'
import { CollectionName, CollectionVersion, CreatedVersion, defineCollection } from './collection.ts'

/** A version of a scorer. */
export const Scorer = CollectionVersion.extend({
  name: z.string().describe('Name of the scorer as it was given'),
  description: z.string().nullable(),
  score_op: z.string().describe('Reference to the op that scores. Empty without one'),
}).meta({ id: 'Scorer' })
export type Scorer = z.output<typeof Scorer>

/** Functions that score an output. */
export const scorers = defineCollection({
  description: 'Named, versioned judges of outputs',
  many: 'scorers',
  one: 'a scorer',
  listed: 'All versions of all scorers',
  body: z.object({
    name: CollectionName,
    description: orNull(z.string()).describe('What it is for'),
    op_source_code: z.string().describe('Source code of the op that scores'),
  }),
  created: CreatedVersion.extend({ scorer: z.string().describe('Reference to the version') }),
  item: Scorer,
})
