import { useQuery } from '@tanstack/react-query'
import { Scale } from 'lucide-react'
import { useMemo } from 'react'
import { useProject } from '../../lib/use-project.ts'
import type { Column } from '../../ui/table/columns.ts'
import { definitionsQuery, type ListedScorer, scorersQuery } from './definitions-query.ts'
import { PublishedTable } from './published-table.tsx'
import { scorerName } from './scorer-name.ts'
import { textColumn } from '../../ui/table/column-kinds.tsx'

const idOf = ({ name }: ListedScorer) => name

/** The latest version of each scorer, and the evaluations that use it. */
export function Scorers() {
  const { id } = useProject()
  const query = useQuery(scorersQuery({ id }))
  const definitions = useQuery(definitionsQuery({ id })).data?.definitions
  const users = useMemo(() => {
    const byScorer = new Map<string, string[]>()
    for (const { name, scorers } of definitions ?? [])
      for (const scorer of new Set(scorers.map(scorerName))) byScorer.set(scorer, [...(byScorer.get(scorer) ?? []), name])
    return byScorer
  }, [definitions])
  const columns = useMemo(
    (): Column<ListedScorer>[] => [
      textColumn('class', 'Class', 'minmax(180px, 1fr)', ({ className }) => className, { look: 'mono' }),
      textColumn('users', 'Evaluations', 'minmax(180px, 1.6fr)', ({ name }) => users.get(name)?.join(', '), { look: 'quiet' }),
    ],
    [users],
  )
  return (
    <PublishedTable
      label="Scorers"
      one="Scorer"
      kind="scorers"
      query={query}
      rows={query.data?.scorers}
      columns={columns}
      idOf={idOf}
      icon={Scale}
      hint="A scorer judges an output. Publish one with scorers.create, or run an evaluation that uses one."
    />
  )
}
