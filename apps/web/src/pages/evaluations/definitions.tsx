import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FlaskConical } from 'lucide-react'
import { useMemo } from 'react'
import { useProject } from '../../lib/use-project.ts'
import type { Column } from '../../ui/table/columns.ts'
import { DatasetLink } from './dataset-link.tsx'
import { definitionsQuery } from './definitions-query.ts'
import { PublishedTable } from './published-table.tsx'
import { scorerName } from './scorer-name.ts'
import type { Definition } from './to-definition.ts'
import { listText } from '../../lib/texts/list-text.ts'
import { numberColumn, textColumn } from '../../ui/table/column-kinds.tsx'

const shownScorers = 5
const idOf = ({ objectId }: Definition) => objectId

/** The latest version of each evaluation: its dataset, its scorers, and how often it predicts a row. */
export function Definitions() {
  const { entity, project, id } = useProject()
  const query = useQuery(definitionsQuery({ id }))
  const columns = useMemo(
    (): Column<Definition>[] => [
      { id: 'dataset', title: 'Dataset', width: 'minmax(160px, 1fr)', cell: ({ dataset }) => <DatasetLink dataset={dataset} /> },
      textColumn('scorers', 'Scorers', 'minmax(180px, 1.6fr)', ({ scorers }) => listText(scorers, shownScorers, scorerName), {
        look: 'quiet',
      }),
      numberColumn('trials', 'Trials', '80px', ({ trials }) => trials, { sort: true }),
      {
        id: 'runs',
        title: 'Runs',
        width: '88px',
        align: 'right',
        cell: ({ objectId }) => (
          <Link
            to="/$entity/$project/evaluations"
            params={{ entity, project }}
            search={{ evaluation: objectId }}
            className="text-accent-text hover:underline"
          >
            Show
          </Link>
        ),
      },
    ],
    [entity, project],
  )
  return (
    <PublishedTable
      label="Evaluations"
      one="Evaluation"
      kind="objects"
      query={query}
      rows={query.data?.definitions}
      columns={columns}
      idOf={idOf}
      icon={FlaskConical}
      hint="An evaluation is a dataset with scorers. Publish one with evaluations.create."
    />
  )
}
