import { useNavigate } from '@tanstack/react-router'
import { ChartColumn, ListFilter, RefreshCw, Spool, TextCursorInput } from 'lucide-react'
import { MoreMenu } from '../../ui/more-menu.tsx'
import { useProject } from '../../lib/use-project.ts'
import { MenuItem, MenuRadio, MenuSection, MenuSeparator } from '../../ui/menu.tsx'
import type { CallsSearch } from '../../features/calls/calls-search.ts'
import { filterWithText } from '../../features/calls/conditions/text-filter.ts'
import { chartOfCalls } from '../../features/dashboard-charts/chart-of-calls.ts'
import { filterOfConditions } from '../../features/filter/parse-filter.ts'
import { groupsOffered } from './grouping/group-of-calls.ts'
import type { Condition } from '../../features/filter/call-condition.ts'
import { selectionOf } from '../../features/calls/calls-queries.ts'

export interface CallsMenuProperties {
  search: CallsSearch
  canRefresh: boolean
  change: (part: CallsSearch) => void
  onRefresh: () => void
  onTotals: () => void
}

const ungrouped = ''

/** Actions on the list, in addition to those in its header. */
export function CallsMenu({ search, canRefresh, change, onRefresh, onTotals }: CallsMenuProperties) {
  const params = useProject()
  const navigate = useNavigate()
  const { where, group = ungrouped } = search
  return (
    <MoreMenu>
      <MenuItem icon={RefreshCw} onClick={() => canRefresh && onRefresh()}>
        Refresh
      </MenuItem>
      <MenuItem icon={ListFilter} onClick={onTotals}>
        Filter by totals…
      </MenuItem>
      {where !== undefined && (
        <MenuItem icon={TextCursorInput} onClick={() => change({ where: undefined, filter: filterOfConditions(where, search.filter) })}>
          Join conditions as text
        </MenuItem>
      )}
      {search.traces === undefined && (
        <>
          <MenuSeparator />
          <MenuItem
            icon={ChartColumn}
            onClick={() => void navigate({ to: '/$entity/$project/dashboards', params, search: { add: chartOfCalls(search) } })}
          >
            Add to dashboard…
          </MenuItem>
          <MenuItem
            icon={Spool}
            onClick={() =>
              void navigate({
                to: '/$entity/$project/training/start',
                params,
                search: { where: conditionsOf(search), filter: filterWithText(search.filter, search.text) },
              })
            }
          >
            Train…
          </MenuItem>
        </>
      )}
      <MenuSeparator />
      <MenuSection label="Group by">
        {[{ value: ungrouped, label: 'None' }, ...groupsOffered(search)].map(({ value, label }) => (
          <MenuRadio key={value} name="group" value={value} current={group} onPick={(next) => change({ group: next || undefined })}>
            {label}
          </MenuRadio>
        ))}
      </MenuSection>
    </MoreMenu>
  )
}

/** The selection of a page's calls apart from its filter, as conditions. */
function conditionsOf(search: CallsSearch): Condition[] {
  const { filter, conditions } = selectionOf(search)
  if ((conditions.length === 0 && search.filter === undefined && search.text === undefined) || !filter.trace_roots_only) return conditions
  return [...conditions, { path: 'parent_id', operator: '=', value: null }]
}
