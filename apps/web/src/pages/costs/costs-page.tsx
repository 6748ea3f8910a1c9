import { useQuery } from '@tanstack/react-query'
import type { UsageTotal } from '@heddle/core-api'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useProject } from '../../app/use-project.ts'
import { ChooseRange } from '../../components/choose-range.tsx'
import { Empty } from '../../components/empty.tsx'
import { costText, formatCost } from '../../components/format-cost.ts'
import { type GridColumn, RowsGrid } from '../../components/rows-grid.tsx'
import { ShowQuery } from '../../components/show-query.tsx'
import { AddToDashboard } from '../dashboards/add-to-dashboard.tsx'
import { callsOfGroup, nameOfGroup } from './calls-of-group.ts'
import { chartOfCosts, tableOfCosts } from './charts-of-costs.ts'
import { CostsChart } from './costs-chart.tsx'
import { usageTotalsQuery } from './costs-queries.ts'
import { type Grouping, groupings } from './costs-search.ts'

const route = getRouteApi('/$entity/$project/costs')

/** Tokens and cost over time, and by model, op, user or thread. */
export function CostsPage() {
  const params = useProject()
  const { range = '7d', by = 'model', chart } = route.useSearch()
  const navigate = route.useNavigate()
  const shown = chart ?? 'cost'
  return (
    <>
      <h1>Costs</h1>
      <div className="row">
        <ChooseRange range={range} onChange={(next) => void navigate({ search: (before) => ({ ...before, range: next }) })} />
        <div className="row" role="group" aria-label="Chart">
          {(['cost', 'tokens'] as const).map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={name === shown}
              onClick={() => void navigate({ search: (before) => ({ ...before, chart: name === 'tokens' ? name : undefined }) })}
            >
              {name === 'cost' ? 'Cost' : 'Tokens'}
            </button>
          ))}
        </div>
        <AddToDashboard chart={chartOfCosts(shown)} isOneOfSeveral />
      </div>
      <CostsChart range={range} shown={shown} />
      <div className="row" role="group" aria-label="Grouped by">
        {groupings.map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === by}
            onClick={() => void navigate({ search: (before) => ({ ...before, by: name }) })}
          >
            By {name}
          </button>
        ))}
        <AddToDashboard chart={tableOfCosts(shown, by)} isOneOfSeveral />
      </div>
      <ShowQuery query={useQuery(usageTotalsQuery(params.id, { range, by }))} what="costs">
        {({ groups, groups_left_out, start }) =>
          groups.length === 0 ? (
            <Empty title="No tokens in this time">
              Calls count here when they say which model they used and how many tokens. Choose a longer time, or send such calls.
            </Empty>
          ) : (
            <>
              <Groups groups={groups} by={by} start={start} />
              {groups_left_out > 0 && (
                <p className="notice">{`These are the ${groups.length} groups with the most tokens; ${groups_left_out.toLocaleString('en')} more are left out.`}</p>
              )}
              <Unpriced groups={groups} />
            </>
          )
        }
      </ShowQuery>
    </>
  )
}

function Groups({ groups, by, start }: { groups: readonly UsageTotal[]; by: Grouping; start: string }) {
  const { entity, project } = useProject()
  const columns = useMemo((): GridColumn<UsageTotal>[] => {
    const count = (title: string, rem: number, of: (group: UsageTotal) => number): GridColumn<UsageTotal> => ({
      title,
      rem,
      grow: 1,
      isNumber: true,
      cell: (group) => of(group).toLocaleString('en'),
    })
    return [
      {
        title: by[0]!.toUpperCase() + by.slice(1),
        rem: 12,
        grow: 3,
        hint: ({ key }) => key ?? undefined,
        cell: ({ key }) => (
          <Link
            to="/$entity/$project/calls"
            params={{ entity, project }}
            search={{ level: 'all', where: [...callsOfGroup(by, key), { path: 'started_at', operator: '>=', value: start }] }}
          >
            {nameOfGroup(by, key)}
          </Link>
        ),
      },
      count('Uses', 6, ({ uses }) => uses),
      count('Input tokens', 9, ({ input_tokens }) => input_tokens),
      count('of them cached', 10, ({ cache_read_input_tokens }) => cache_read_input_tokens),
      count('Output tokens', 9.5, ({ output_tokens }) => output_tokens),
      count('Unpriced uses', 9.5, ({ unpriced_uses }) => unpriced_uses),
      {
        title: 'Cost',
        rem: 9.5,
        grow: 1,
        isNumber: true,
        hint: ({ cost, unpriced_uses }) => costText(cost, unpriced_uses),
        cell: ({ cost, unpriced_uses }) => (cost === null ? costText(cost, unpriced_uses) : formatCost(cost)),
      },
    ]
  }, [by, entity, project, start])
  return <RowsGrid label={`Costs by ${by}`} rows={groups} columns={columns} keyOf={({ key }) => key ?? ''} />
}

/** Says which models the costs leave out, and where to add their prices. */
function Unpriced({ groups }: { groups: readonly UsageTotal[] }) {
  const params = useProject()
  const unpriced = groups.reduce((sum, group) => sum + group.unpriced_uses, 0)
  if (unpriced === 0) return null
  return (
    <p className="notice">
      {`${unpriced.toLocaleString('en')} ${unpriced === 1 ? 'use' : 'uses'} of models without a known price count as tokens and not as cost. `}
      <Link to="/$entity/$project/settings" params={params}>
        Add their prices
      </Link>{' '}
      to include them.
    </p>
  )
}
