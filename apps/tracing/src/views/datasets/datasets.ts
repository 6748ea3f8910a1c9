import { formatRef, type InputOf, type tracing } from '@heddle/core-api'
import type { CreatedVersion, Dataset } from '@heddle/core-api/types'
import { type CollectionDeps, collectionHandlers } from '../../domain/object-collection/collection-handlers.ts'
import type { Collection } from '../../domain/object-collection/collection.ts'
import { textOr, textOrNull } from '../../domain/object-collection/field-readers.ts'
import { prepareRows } from '../../records/tables/prepare-rows.ts'
import type { StoreTable } from '../../records/tables/store-table.ts'

const className = 'Dataset'

type Draft = InputOf<typeof tracing.datasets.create>

/** Datasets: an object that names a table. Their rows are read from the table. */
function datasetsCollection({ storeTable }: { storeTable: StoreTable }): Collection<Draft, CreatedVersion, Dataset> {
  return {
    fallbackName: className,
    members: { base_object_classes: [className] },
    async toValue({ name, description, rows: given }, { project, projects }) {
      const rows = await prepareRows(given, projects)
      const row_digests = rows.map(({ digest }) => digest)
      const digest = await storeTable(project, { parts: [row_digests], row_count: rows.length, rows, expected_digest: null })
      const table = formatRef({ kind: 'table', entity: project.entity, project: project.name, digest, rowDigest: null })
      const classes = { _type: className, _class_name: className, _bases: ['Object', 'BaseModel'] }
      return { ...classes, name: name ?? className, description, rows: table }
    },
    toCreated: (version) => version,
    async toItem(version, value) {
      return {
        ...version,
        name: textOr(value['name'], version.object_id),
        description: textOrNull(value['description']),
        rows: textOr(value['rows'], ''),
      }
    },
  }
}

/** Datasets, as a view over objects and tables. */
export const createDatasets = (deps: CollectionDeps, tables: { storeTable: StoreTable }) => ({
  handlers: collectionHandlers(deps, datasetsCollection(tables)),
})
