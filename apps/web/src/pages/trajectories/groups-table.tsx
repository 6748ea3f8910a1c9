import type { JobTrajectoryGroup } from '@heddle/core-api'
import { useVirtualizer } from '@tanstack/react-virtual'
import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import { useProject } from '../../app/use-project.ts'
import { numberText } from '../evaluations/charts/number-text.ts'
import { type GroupOrder, groupOrders, meanOf, nameOfGroup } from './group-statistics.ts'

const rowHeight = 34
const shownRewards = 12
const titles: Record<GroupOrder, string> = { spread: 'widest spread first', reward: 'lowest reward first', request: 'as they were sent' }
const columns = ['Group', 'Spread', 'Mean reward', 'Rewards', 'Cut', 'Failed']

interface Properties {
  job: string
  groups: readonly JobTrajectoryGroup[]
  /** Groups before any was filtered out. */
  of: number
  order: GroupOrder
  onOrder: (order: GroupOrder) => void
}

/** Groups of a job. Only the rows in sight are in the page. */
export function GroupsTable({ job, groups, of, order, onOrder }: Properties) {
  const project = useProject()
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: groups.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    paddingStart: rowHeight,
    overscan: 8,
  })
  return (
    <>
      <div className="row">
        <label htmlFor="group-order">Order</label>
        <select id="group-order" value={order} onChange={({ target }) => onOrder(target.value as GroupOrder)}>
          {groupOrders.map((name) => (
            <option key={name} value={name}>
              {titles[name]}
            </option>
          ))}
        </select>
        {groups.length < of && (
          <span className="muted">
            {groups.length.toLocaleString('en')} of {of.toLocaleString('en')} groups have a reward of the chosen bin
          </span>
        )}
      </div>
      <div ref={scroller} className="grid-rows groups" role="table" aria-label="Groups" aria-rowcount={groups.length + 1} tabIndex={0}>
        <div role="rowgroup" className="grid-body" style={{ height: virtual.getTotalSize() }}>
          <div role="row" aria-rowindex={1} className="grid-row grid-head group-row">
            {columns.map((title) => (
              <div key={title} role="columnheader" className="grid-cell">
                {title}
              </div>
            ))}
          </div>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const group = groups[index]!
            return (
              <div key={group.id} role="row" aria-rowindex={index + 2} className="grid-row group-row" style={{ top: start }}>
                <div role="cell" className="grid-cell">
                  <Link to="/$entity/$project/training/jobs/$job/groups/$group" params={{ ...project, job, group: String(group.group) }}>
                    {nameOfGroup(group)}
                  </Link>
                </div>
                <div role="cell" className="grid-cell">
                  {group.reward_std_dev === 0 ? '0, equal' : numberText(group.reward_std_dev, false)}
                </div>
                <div role="cell" className="grid-cell">
                  {numberText(meanOf(group.rewards), false)}
                </div>
                <div role="cell" className="grid-cell">
                  {group.rewards
                    .slice(0, shownRewards)
                    .map((reward) => numberText(reward, false))
                    .join(', ')}
                  {group.rewards.length > shownRewards && `, and ${group.rewards.length - shownRewards} more`}
                </div>
                <div role="cell" className="grid-cell">
                  {group.truncated}
                </div>
                <div role="cell" className="grid-cell">
                  {group.num_exceptions}
                </div>
              </div>
            )
          })}
        </div>
      </div>
    </>
  )
}
