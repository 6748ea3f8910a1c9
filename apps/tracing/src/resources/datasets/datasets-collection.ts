import { type CreatedVersion, type Dataset, formatRef, type InputOf, type tracing } from '@heddle/core-api'
import type { Collection } from '../../object-collection/collection.ts'
import { textOr, textOrNull } from '../../object-collection/field-readers.ts'
import { prepareRows } from '../tables/prepare-rows.ts'
import type { StoreTable } from '../tables/store-table.ts'

const className = 'Dataset'

type Draft = InputOf<typeof tracing.datasets.create>

/** Datasets: an object that names a table. Their rows are read from the table. */
export function datasetsCollection({ storeTable }: { storeTable: StoreTable }): Collection<Draft, CreatedVersion, Dataset> {
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
