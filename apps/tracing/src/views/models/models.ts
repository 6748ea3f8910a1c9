import type { InputOf, JsonObject, tracing } from '@heddle/core-api'
import type { CreatedVersion, Model } from '@heddle/core-api/types'
import { type CollectionDeps, collectionHandlers } from '../../domain/object-collection/collection-handlers.ts'
import type { Collection } from '../../domain/object-collection/collection.ts'
import { textOr, textOrNull } from '../../domain/object-collection/field-readers.ts'
import { mergeFields } from '../../domain/object-collection/merge-fields.ts'
import type { SourceFiles } from '../../domain/object-collection/source-files.ts'
import { opSourceName } from '../../otlp/op-object.ts'

const className = 'Model'
const ownFields = new Set(['_type', '_class_name', '_bases', 'name', 'description', 'files'])

type Draft = InputOf<typeof tracing.models.create>
type CreatedModel = CreatedVersion & { model_ref: string }

/** Models: an object with the source code in a file, and attributes in addition to its own fields. */
function modelsCollection({ sources }: { sources: SourceFiles }): Collection<Draft, CreatedModel, Model> {
  return {
    fallbackName: className,
    members: { base_object_classes: [className] },
    async toValue({ name, description, source_code, attributes }, { project }) {
      const classes = { _type: className, _class_name: className, _bases: ['Object', 'BaseModel'] }
      const named = { ...classes, name, description }
      mergeFields({ ...named, files: {} }, { source: 'attributes', fields: attributes })
      return { ...named, files: { [opSourceName]: await sources.put(project, source_code) }, ...attributes }
    },
    toCreated: (version, model_ref) => ({ ...version, model_ref }),
    async toItem(version, value, { project }) {
      return {
        ...version,
        name: textOr(value['name'], version.object_id),
        description: textOrNull(value['description']),
        source_code: await sources.read(project, value),
        attributes: attributesOf(value),
      }
    },
  }
}

function attributesOf(value: JsonObject): JsonObject | null {
  const others = Object.entries(value).filter(([name]) => !ownFields.has(name))
  return others.length === 0 ? null : Object.fromEntries(others)
}

/** Models, as a view over objects. */
export const createModels = (deps: CollectionDeps, { sources }: { sources: SourceFiles }) => ({
  handlers: collectionHandlers(deps, modelsCollection({ sources })),
})
