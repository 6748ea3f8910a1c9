import type { InputOf, tracing } from '@heddle/core-api'
import type { CreatedVersion, Scorer } from '@heddle/core-api/types'
import { type CollectionDeps, collectionHandlers } from '../../domain/object-collection/collection-handlers.ts'
import type { Collection } from '../../domain/object-collection/collection.ts'
import { textOr, textOrNull } from '../../domain/object-collection/field-readers.ts'
import { placeholderOps } from '../../domain/object-collection/placeholder-ops.ts'
import { publishValue } from '../../domain/object-collection/publish-value.ts'
import type { SourceFiles } from '../../domain/object-collection/source-files.ts'
import { opValue } from '../../otlp/op-object.ts'
import { objectRef } from '../../payload/object-ref.ts'
import type { EnsureOps } from '../../records/objects/publish/ensure-ops.ts'
import type { ObjectPublisher } from '../../records/objects/publish/publish-object.ts'

const className = 'Scorer'

type Draft = InputOf<typeof tracing.scorers.create>
type CreatedScorer = CreatedVersion & { scorer: string }

interface ScorersDeps {
  publisher: ObjectPublisher
  sources: SourceFiles
  ensureOps: EnsureOps
}

/** Scorers: an object that names the op which scores, and one which summarizes. */
function scorersCollection({ publisher, sources, ensureOps }: ScorersDeps): Collection<Draft, CreatedScorer, Scorer> {
  return {
    fallbackName: className,
    members: { base_object_classes: [className] },
    async toValue({ name, description, op_source_code }, target) {
      const source = await sources.put(target.project, op_source_code)
      const score = await publishValue(publisher, target, { object_id: `${target.object_id}_score`, val: opValue(source) })
      const { summarize } = await placeholderOps(ensureOps, target, { summarize: `${target.object_id}_summarize` })
      const classes = { _type: className, _class_name: className, _bases: ['Object', 'BaseModel'] }
      const ops = { score: objectRef(target.project, { kind: 'op', ...score }), summarize }
      return { ...classes, name, description, ...ops, column_map: null }
    },
    toCreated: (version, scorer) => ({ ...version, scorer }),
    async toItem(version, value) {
      return {
        ...version,
        name: textOr(value['name'], version.object_id),
        description: textOrNull(value['description']),
        score_op: textOr(value['score'], ''),
      }
    },
  }
}

/** Scorers, as a view over objects. */
export const createScorers = (deps: CollectionDeps, { sources, ensureOps }: { sources: SourceFiles; ensureOps: EnsureOps }) => ({
  handlers: collectionHandlers(deps, scorersCollection({ publisher: deps.publisher, sources, ensureOps })),
})
