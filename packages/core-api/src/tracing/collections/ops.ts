import { z } from 'zod'
import { orNull } from '../../shapes/optional.ts'
import { CollectionName, CollectionVersion, CreatedVersion, defineCollection } from './collection.ts'

/** A version of an op. */
export const Op = CollectionVersion.extend({
  code: z.string().describe('Source code. Empty where none is stored, or where it has more than 8 MiB'),
}).meta({ id: 'Op' })
export type Op = z.output<typeof Op>

/** Functions whose runs are calls. */
export const ops = defineCollection({
  description: 'Named, versioned functions whose runs are calls',
  many: 'ops',
  one: 'an op',
  listed: 'The latest version of each op',
  body: z.object({
    name: orNull(CollectionName).describe('Name of the op. Null: `Op`'),
    source_code: orNull(z.string()).describe('Its source code. Null or empty: a placeholder'),
  }),
  created: CreatedVersion,
  item: Op,
})
