import type { UsageTotal } from '@heddle/core-api/types'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { CircleDollarSign, LayoutDashboard, Settings2 } from 'lucide-react'
import { useMemo } from 'react'
import { MoreMenu } from '../../ui/more-menu.tsx'
import { countText } from '../../lib/texts/count-text.ts'
import type { TimeRange } from '../../lib/time/time-range.ts'
import { useTimeZone } from '../../lib/time/use-time-zone.ts'
import { useProject } from '../../lib/use-project.ts'
import { ChooseRange } from '../../ui/time/choose-range.tsx'
import { PendingBlock } from '../../ui/states/pending.tsx'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { ButtonLink } from '../../ui/button-link.tsx'
import { Card, EmptyState } from '../../ui/card.tsx'
import { MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageFooter, PageHead } from '../../ui/page.tsx'
import { Segmented, Tabs } from '../../ui/tabs.tsx'
import { AddToDashboardItem } from '../../features/dashboard-charts/add-to-dashboard.tsx'
import { chartOfCosts, tableOfCosts } from '../../features/dashboard-charts/charts-of-costs.ts'
import { CostsChart } from '../../features/costs/costs-chart.tsx'
import { CostsFigures } from './costs-figures.tsx'
import { costsOverTimeQuery, usageBeforeQuery, usageTotalsQuery } from '../../features/costs/costs-queries.ts'
import { type Grouping, groupings, groupingTitles } from '../../features/costs/costs-search.ts'
import { CostsTable } from './costs-table.tsx'
import { type CostMeasure, seriesOfModels } from '../../features/costs/series-of-models.ts'
import { sumOfUsage, unpricedOf } from './sum-of-usage.ts'

const route = getRouteApi('/$entity/$project/costs')
const height = 220

/** What models used and cost, over time and by model, operation, user or thread. */
export function CostsPage() {
  const { id } = useProject()
  const { range = '7d', by = 'model', chart: shown = 'cost' } = route.useSearch()
  const models = useQuery(usageTotalsQuery(id, { range, by: 'model' }))
  return (
    <>
      <Head range={range} shown={shown} by={by} />
      <ShowQuery query={models} what="costs" pending={<PendingBlock what="costs" className="h-24" />}>
        {({ groups, groups_left_out, traces_behind }) =>
          groups.length === 0 ? (
            <EmptyState icon={CircleDollarSign} title="No model calls in this range">
              Calls that say their model and tokens are counted here.
            </EmptyState>
          ) : (
            <div className="flex flex-col gap-4">
              <Figures groups={groups} range={range} />
              <CostsChart
                range={range}
                shown={shown}
                height={height}
                actions={<ChooseMeasure shown={shown} />}
                menu={<AddToDashboardItem chart={chartOfCosts(shown)} />}
              />
              <Unpriced models={groups} />
              <Groups range={range} by={by} />
              {groups_left_out > 0 && (
                <Notice title={`${groups_left_out.toLocaleString('en')} models with fewer tokens are not in the totals`} />
              )}
              {traces_behind > 0 && (
                <Notice title={`${traces_behind.toLocaleString('en')} large traces are still being counted`}>
                  They follow within seconds.
                </Notice>
              )}
            </div>
          )
        }
      </ShowQuery>
    </>
  )
}

function Head({ range, shown, by }: { range: TimeRange; shown: CostMeasure; by: Grouping }) {
  const navigate = route.useNavigate()
  const go = useNavigate()
  const params = useProject()
  return (
    <PageHead
      title="Costs"
      actions={
        <>
          <ChooseRange range={range} onChange={(next) => void navigate({ search: (before) => ({ ...before, range: next }) })} />
          <MoreMenu>
            <MenuItem
              icon={LayoutDashboard}
              onClick={() => void go({ to: '/$entity/$project/dashboards', params, search: { add: tableOfCosts(shown, by) } })}
            >
              Add table to dashboard…
            </MenuItem>
            <MenuSeparator />
            <MenuItem icon={Settings2} onClick={() => void go({ to: '/$entity/$project/settings', params, search: { part: 'prices' } })}>
              Model prices
            </MenuItem>
          </MoreMenu>
        </>
      }
    />
  )
}

function ChooseMeasure({ shown }: { shown: CostMeasure }) {
  const navigate = route.useNavigate()
  return (
    <Segmented
      label="Measure"
      value={shown}
      onChange={(name) => void navigate({ search: (before) => ({ ...before, chart: name === 'tokens' ? name : undefined }) })}
      items={[
        { value: 'cost', label: 'Cost' },
        { value: 'tokens', label: 'Tokens' },
      ]}
    />
  )
}

function Figures({ groups, range }: { groups: readonly UsageTotal[]; range: TimeRange }) {
  const { id } = useProject()
  return <CostsFigures groups={groups} before={useQuery(usageBeforeQuery(id, { range, by: 'model' })).data} />
}

/** The parts of the page by what calls are grouped. */
function Groups({ range, by }: { range: TimeRange; by: Grouping }) {
  const navigate = route.useNavigate()
  return (
    <Card flush className="overflow-hidden">
      <Tabs
        label="Group by"
        value={by}
        onChange={(next) => void navigate({ search: (before) => ({ ...before, by: groupings.find((known) => known === next) }) })}
        tabs={groupings.map((name) => ({ id: name, label: `By ${groupingTitles[name].toLowerCase()}` }))}
      >
        <GroupsOf range={range} by={by} />
      </Tabs>
    </Card>
  )
}

const tableHeight = 'h-40'

function GroupsOf({ range, by }: { range: TimeRange; by: Grouping }) {
  const { id } = useProject()
  const timezone = useTimeZone()
  const before = useQuery(usageBeforeQuery(id, { range, by })).data
  const buckets = useQuery(costsOverTimeQuery(id, { range, timezone })).data
  const drawn = useMemo(() => {
    const colors = new Map(seriesOfModels(buckets ?? [], 'cost').series.map(({ id: model, color }) => [model, color]))
    const models = [...new Set((buckets ?? []).flatMap((bucket) => [...bucket.models.keys()]))]
    const valuesOf = (model: string) => (buckets ?? []).map((bucket) => bucket.models.get(model)?.cost ?? 0)
    return new Map(models.map((model) => [model, { color: colors.get(model) ?? 'var(--s8)', values: valuesOf(model) }]))
  }, [buckets])
  return (
    <ShowQuery
      query={useQuery(usageTotalsQuery(id, { range, by }))}
      what="groups"
      pending={<PendingBlock what="groups" className={tableHeight} />}
    >
      {({ groups, groups_left_out, start }) => {
        const reported = groups.reduce((sum, group) => sum + group.reported_uses, 0)
        const notes = [
          ...(groups_left_out > 0 ? [`${groups_left_out.toLocaleString('en')} with fewer tokens left out`] : []),
          ...(reported > 0 ? [`cost of ${reported.toLocaleString('en')} calls as they reported it`] : []),
        ]
        return (
          <>
            <CostsTable groups={groups} by={by} start={start} before={before} drawn={drawn} />
            <PageFooter>
              <span className="num truncate">
                {[`${groups.length.toLocaleString('en')} ${groups.length === 1 ? by : `${by}s`}`, totalOf(groups), ...notes].join(' · ')}
              </span>
            </PageFooter>
          </>
        )
      }}
    </ShowQuery>
  )
}

const totalOf = (groups: readonly UsageTotal[]) => `${sumOfUsage(groups).uses.toLocaleString('en')} calls`

/** Lists the models that the costs omit, and where to set their prices. */
function Unpriced({ models }: { models: readonly UsageTotal[] }) {
  const params = useProject()
  const { uses, models: unpriced } = unpricedOf(models)
  if (uses === 0) return null
  const [first] = unpriced
  const of = unpriced.length === 1 ? first : `${unpriced.length} models`
  return (
    <Notice
      tone="warning"
      title={`${countText(uses, 'call')} of ${of} ${uses === 1 ? 'has' : 'have'} no price`}
      actions={
        <ButtonLink to="/$entity/$project/settings" params={params} search={{ part: 'prices' }}>
          Set {unpriced.length === 1 ? 'price' : 'prices'}
        </ButtonLink>
      }
    >
      Their tokens are counted, their cost is not.
    </Notice>
  )
}
