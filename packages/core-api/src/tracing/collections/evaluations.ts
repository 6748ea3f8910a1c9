import { z } from 'zod'
import { listOf } from '../../shapes/bounded.ts'
import { Identifier, Reference } from '../../shapes/identifier.ts'
import { JsonObjectShape } from '../../shapes/json.ts'
import { LenientInt } from '../../shapes/lenient.ts'
import { orDefault, orNull } from '../../shapes/optional.ts'
import { CollectionName, CollectionVersion, CreatedVersion, defineCollection } from './collection.ts'

const opRef = (what: string) => z.string().describe(`Reference to the op that ${what}. Empty without one`)

/** A version of the definition of an evaluation; its runs are evaluation runs. */
export const Evaluation = CollectionVersion.extend({
  name: z.string().describe('Name of the evaluation as it was given'),
  description: z.string().nullable(),
  dataset: z.string().describe('Reference to the dataset. Empty without one'),
  scorers: z.array(z.string()).describe('References to the scorers'),
  trials: z.number().describe('How many times each row is predicted'),
  evaluation_name: z.string().nullable().describe('Name of its runs'),
  evaluate_op: opRef('runs it'),
  predict_and_score_op: opRef('predicts and scores one row'),
  summarize_op: opRef('summarizes the scores'),
}).meta({ id: 'Evaluation' })
export type Evaluation = z.output<typeof Evaluation>

/** Definitions of evaluations: which dataset, which scorers, how many trials. */
export const evaluationCollection = defineCollection({
  description: 'Definitions of evaluations, and their execution on the server',
  many: 'evaluations',
  one: 'an evaluation',
  listed: 'All versions of all evaluations',
  body: z.object({
    name: CollectionName,
    description: orNull(z.string()).describe('What it is for'),
    dataset: Reference.describe('Reference to the dataset. Not checked'),
    scorers: orNull(listOf(Reference, 1000)).describe('References to scorers, at most 1000. Not checked'),
    trials: orDefault(LenientInt, 1).describe('How many times each row is predicted'),
    evaluation_name: orNull(Identifier).describe('Name of its runs'),
    eval_attributes: orNull(JsonObjectShape).describe(
      'Further fields of the evaluation. Not those that this body or the class of the object sets',
    ),
  }),
  created: CreatedVersion.extend({ evaluation_ref: z.string().describe('Reference to the version') }),
  item: Evaluation,
})
