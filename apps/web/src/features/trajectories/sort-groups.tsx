import { Select } from '../../ui/select.tsx'
import { type GroupOrder, groupOrders } from '../training/group-orders.ts'
import type { JobSearch } from '../training/training-search.ts'

const titles: Record<GroupOrder, string> = { spread: 'Spread', reward: 'Lowest reward', request: 'Request order' }

/** Chooses the order of the trajectory groups of a job. */
export const SortGroups = ({ order, onChange }: { order: GroupOrder; onChange: (changed: Pick<JobSearch, 'order'>) => void }) => (
  <Select
    inside
    label="Sort"
    value={order}
    onChange={(next) => onChange({ order: groupOrders.find((one) => one === next) })}
    choices={groupOrders.map((one) => ({ value: one, label: titles[one] }))}
  />
)
