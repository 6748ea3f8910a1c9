import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { FlaskConical, Plus } from 'lucide-react'
import { useProject } from '../../lib/use-project.ts'
import { DemoHint } from '../../features/demo/demo-hint.tsx'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/card.tsx'
import { PageHead } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { evaluationTabs } from './comparison-search.ts'
import { Definitions } from './definitions.tsx'
import { definitionsQuery, scorersQuery } from './definitions-query.ts'
import { runCountQuery, runPagesQuery } from './list/list-queries.ts'
import { RunsList } from './list/runs-list.tsx'
import { Scorers } from './scorers.tsx'
import { lazyDialog } from '../../ui/lazy-part.tsx'

const NewRunDialog = lazyDialog(() => import('../../features/new-run/new-run-dialog.tsx').then(({ NewRunDialog }) => NewRunDialog))

const route = getRouteApi('/$entity/$project/evaluations')

/** Evaluations of a project: their runs, what they are, and their scorers. */
export function RunsPage() {
  const project = useProject()
  const { tab = 'runs', form } = route.useSearch()
  const navigate = route.useNavigate()
  const setForm = (next: 'new' | undefined) => void navigate({ search: (search) => ({ ...search, form: next }), replace: true })
  return (
    <div data-flush className="flex h-full min-h-0 flex-col">
      <PageHead
        title="Evaluations"
        actions={
          <Button variant="primary" icon={Plus} aria-haspopup="dialog" onClick={() => setForm('new')}>
            New run
          </Button>
        }
      />
      <EvaluationTabs tab={tab} onChange={(next) => void navigate({ search: { tab: evaluationTabs.find((one) => one === next) } })} />
      {tab === 'runs' ? <Runs /> : tab === 'definitions' ? <Definitions /> : <Scorers />}
      {form === 'new' && <NewRunDialog project={project} onClose={() => setForm(undefined)} />}
    </div>
  )
}

function EvaluationTabs({ tab, onChange }: { tab: string; onChange: (tab: string) => void }) {
  const project = useProject()
  const counts = [useQuery(runCountQuery(project)), useQuery(definitionsQuery(project)), useQuery(scorersQuery(project))] as const
  const [{ data: runs }, { data: definitions }, { data: scorers }] = counts
  const text = (count: number, hasMore: boolean) => `${count.toLocaleString('en')}${hasMore ? '+' : ''}`
  return (
    <div aria-busy={counts.some(({ isLoading }) => isLoading)} className="shrink-0">
      <Tabs
        label="Evaluations"
        value={tab}
        onChange={onChange}
        tabs={[
          { id: 'runs', label: 'Runs', count: runs && text(runs.count, runs.has_more) },
          { id: 'definitions', label: 'Evaluations', count: definitions && text(definitions.definitions.length, definitions.hasMore) },
          { id: 'scorers', label: 'Scorers', count: scorers && text(scorers.scorers.length, scorers.hasMore) },
        ]}
      />
    </div>
  )
}

function Runs() {
  const project = useProject()
  const query = useInfiniteQuery(runPagesQuery(project))
  return (
    <ShowQuery query={query} what="evaluation runs">
      {({ pages }) =>
        pages[0]?.length ? (
          <RunsList project={project} pages={pages} more={query} />
        ) : (
          <EmptyState icon={FlaskConical} title="No evaluation runs yet">
            <p>
              A run scores a model on every row of a dataset. Start one here, with the API or a client. For examples, <DemoHint />.
            </p>
          </EmptyState>
        )
      }
    </ShowQuery>
  )
}
