import { useQuery } from '@tanstack/react-query'
import { useProject } from '../../lib/use-project.ts'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { DataDeletionsTable } from './data-deletions-table.tsx'
import { dataDeletionsQuery } from './data-deletions-query.ts'
import { SettingsSection } from './settings-section.tsx'
import { StartDataDeletion } from './start-data-deletion.tsx'

/** Deletes all data of a user or of the project, and lists deletions with their receipts. For users who may delete. */
export function DeleteData() {
  const { id } = useProject()
  const query = useQuery(dataDeletionsQuery(id))
  return (
    <SettingsSection
      title="Delete data"
      text="Traces, feedback, queue items, objects, tables and files are removed from every store. Backups keep them until you delete the backups."
      query={query}
      adminsMay="delete its data"
    >
      <StartDataDeletion />
      <ShowQuery query={query} what="the deletions">
        {(deletions) => <DataDeletionsTable deletions={deletions} />}
      </ShowQuery>
    </SettingsSection>
  )
}
