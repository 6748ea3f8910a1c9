import type { InputOf, tracing } from '@heddle/core-api'
import type { CreatedVersion, Evaluation } from '@heddle/core-api/types'
import { isJsonNumber } from '@heddle/core-api/internal'
import type { Collection } from '../../domain/object-collection/collection.ts'
import { textOr, textOrNull } from '../../domain/object-collection/field-readers.ts'
import { mergeFields } from '../../domain/object-collection/merge-fields.ts'
import { placeholderOps } from '../../domain/object-collection/placeholder-ops.ts'
import type { EnsureOps } from '../../records/objects/publish/ensure-ops.ts'

const className = 'Evaluation'

type Draft = InputOf<typeof tracing.evaluations.create>
type CreatedEvaluation = CreatedVersion & { evaluation_ref: string }

/** Evaluations: an object that names a dataset, scorers, and the ops that run it. */
export function evaluationsCollection({ ensureOps }: { ensureOps: EnsureOps }): Collection<Draft, CreatedEvaluation, Evaluation> {
  return {
    fallbackName: className,
    members: { base_object_classes: [className] },
    async toValue({ name, description, dataset, scorers, trials, evaluation_name, eval_attributes }, target) {
      const { object_id } = target
      const ops = await placeholderOps(ensureOps, target, {
        evaluate: `${object_id}.evaluate`,
        predict_and_score: `${object_id}.predict_and_score`,
        summarize: `${object_id}.summarize`,
      })
      const classes = { _type: className, _class_name: className, _bases: ['Object', 'BaseModel'] }
      const given = { name, description, dataset, scorers, trials, evaluation_name, metadata: null, preprocess_model_input: null }
      return mergeFields({ ...classes, ...given, ...ops }, { source: 'eval_attributes', fields: eval_attributes })
    },
    toCreated: (version, evaluation_ref) => ({ ...version, evaluation_ref }),
    async toItem(version, value) {
      return {
        ...version,
        name: textOr(value['name'], version.object_id),
        description: textOrNull(value['description']),
        dataset: textOr(value['dataset'], ''),
        scorers: Array.isArray(value['scorers']) ? value['scorers'].filter((scorer) => typeof scorer === 'string') : [],
        trials: toTrials(value['trials']),
        evaluation_name: textOrNull(value['evaluation_name']),
        evaluate_op: textOr(value['evaluate'], ''),
        predict_and_score_op: textOr(value['predict_and_score'] ?? value['predictAndScore'], ''),
        summarize_op: textOr(value['summarize'], ''),
      }
    },
  }
}

/** How many times each row is predicted; once if the value is not a number. */
function toTrials(trials: unknown): number {
  const number = typeof trials === 'number' || isJsonNumber(trials) ? Number(trials) : Number.NaN
  return Number.isSafeInteger(number) ? number : 1
}
