import { z } from 'zod'
import { JsonObjectShape } from '../../shapes/json.ts'
import { orNull } from '../../shapes/optional.ts'
import { CollectionName, CollectionVersion, CreatedVersion, defineCollection } from './collection.ts'

/** A version of a model. */
export const Model = CollectionVersion.extend({
  name: z.string().describe('Name of the model as it was given'),
  description: z.string().nullable(),
  source_code: z.string().describe('Source code. Empty where none is stored, or where it has more than 8 MiB'),
  attributes: z.record(z.string(), z.unknown()).nullable().describe('Its other fields. Null without any'),
}).meta({ id: 'Model' })
export type Model = z.output<typeof Model>

/** The subject of an evaluation: a program that produces outputs, with its settings. */
export const models = defineCollection({
  description: 'Named, versioned models that evaluations run',
  many: 'models',
  one: 'a model',
  listed: 'All versions of all models',
  body: z.object({
    name: CollectionName,
    description: orNull(z.string()).describe('What it is for'),
    source_code: z.string().describe('Source code of the model'),
    attributes: orNull(JsonObjectShape).describe(
      'Further fields of the model. Not `_type`, `_class_name`, `_bases`, `name`, `description` or `files`',
    ),
  }),
  created: CreatedVersion.extend({ model_ref: z.string().describe('Reference to the version') }),
  item: Model,
})
