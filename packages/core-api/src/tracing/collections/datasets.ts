import { z } from 'zod'
import { listOf } from '../../shapes/bounded.ts'
import { JsonObjectShape } from '../../shapes/json.ts'
import { orNull } from '../../shapes/optional.ts'
import { CollectionName, CollectionVersion, CreatedVersion, defineCollection } from './collection.ts'

/** A version of a dataset. */
export const Dataset = CollectionVersion.extend({
  name: z.string().describe('Name of the dataset as it was given'),
  description: z.string().nullable(),
  rows: z.string().describe('Reference to the table that contains the rows: query it by the digest in it'),
}).meta({ id: 'Dataset' })
export type Dataset = z.output<typeof Dataset>

/** Named lists of rows to evaluate models on. */
export const datasets = defineCollection({
  description: 'Named lists of rows to evaluate models on',
  many: 'datasets',
  one: 'a dataset',
  listed: 'All versions of all datasets',
  body: z.object({
    name: orNull(CollectionName).describe('Name of the dataset. Null: `Dataset`'),
    description: orNull(z.string()).describe('What it is for'),
    rows: listOf(JsonObjectShape, 250_000).describe('The rows: JSON objects, at most 250,000'),
  }),
  created: CreatedVersion,
  item: Dataset,
})
