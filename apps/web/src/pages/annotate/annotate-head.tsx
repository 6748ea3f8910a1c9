import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { CircleAlert, CircleCheck, Keyboard, LoaderCircle } from 'lucide-react'
import { MoreMenu } from '../../ui/more-menu.tsx'
import { client } from '../../lib/server/client.ts'
import { useProject } from '../../lib/use-project.ts'
import { Badge, Progress, Tag } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/button.tsx'
import { ButtonLink } from '../../ui/button-link.tsx'
import { MenuRadio, MenuSection } from '../../ui/menu.tsx'
import { PageHead } from '../../ui/page.tsx'
import { filterNames, type ItemFilter, itemFilters } from '../../features/queues/item-filters.ts'
import { stateNames } from '../../features/queues/item-states.ts'
import { ClaimLine } from './claim-line.tsx'
import { timeLeft } from './pace.ts'
import { type QueueItem, queueStatsQuery } from '../../features/queues/queue-queries.ts'
import type { SaveState } from './use-answers.ts'
import type { ItemClaim } from './use-claim.ts'
import { useItemTimes } from './use-item-times.ts'

const from = '/$entity/$project/queues/$queue/annotate/$item'

interface HeadProperties {
  queue: { id: string; name: string }
  filter: ItemFilter | undefined
  saveState: SaveState
  onKeys: () => void
}

export function AnnotateHead({ queue, filter, saveState, onKeys }: HeadProperties) {
  const project = useProject()
  const toQueue = { to: '/$entity/$project/queues/$queue', params: { ...project, queue: queue.id }, search: { state: filter } } as const
  return (
    <PageHead
      trail={[
        <Link key="queues" to="/$entity/$project/queues" params={project}>
          Annotation
        </Link>,
      ]}
      title={queue.name.slice(0, 200)}
      actions={
        <>
          <ShowSaveState state={saveState} />
          <IconButton label="Keyboard shortcuts" keys="?" icon={Keyboard} onClick={onKeys} />
          <FilterMenu filter={filter} />
          <ButtonLink {...toQueue}>Exit</ButtonLink>
        </>
      }
    />
  )
}

function ShowSaveState({ state }: { state: SaveState }) {
  const look = 'mr-1 flex items-center gap-1.5 text-xs'
  return (
    <span role="status" className="flex">
      {state === 'saving' && (
        <span className={`${look} text-fg-3`}>
          <LoaderCircle size={13} aria-hidden className="spin" />
          Saving…
        </span>
      )}
      {state === 'saved' && (
        <span className={`${look} text-fg-3`}>
          <CircleCheck size={13} aria-hidden className="text-green" />
          Saved
        </span>
      )}
      {state === 'failed' && (
        <span className={`${look} text-red-text`}>
          <CircleAlert size={13} aria-hidden />
          Not saved
        </span>
      )}
    </span>
  )
}

const all = 'all'

/** Which items next and previous page through. */
function FilterMenu({ filter }: { filter: ItemFilter | undefined }) {
  const navigate = useNavigate({ from })
  const choose = (value: string) => void navigate({ to: '.', search: { state: itemFilters.find((one) => one === value) }, replace: true })
  return (
    <MoreMenu>
      <MenuSection label="Next and previous">
        <MenuRadio name="filter" value={all} current={filter ?? all} onPick={choose}>
          All items
        </MenuRadio>
        {itemFilters.map((one) => (
          <MenuRadio key={one} name="filter" value={one} current={filter ?? all} onPick={choose}>
            {filterNames[one]}
          </MenuRadio>
        ))}
      </MenuSection>
    </MoreMenu>
  )
}

interface LineProperties {
  queue: { id: string; reviewers_per_item: number; reservation_minutes: number }
  item: QueueItem
  /** Position of the item in its queue, from 1. Undefined until it is known. */
  place: number | undefined
  username: string
  filter: ItemFilter | undefined
  claim: ItemClaim
}

/** Where one is in the queue, how much is done, and who has the item. */
export function ProgressLine({ queue, item, place, username, filter, claim }: LineProperties) {
  const { id } = useProject()
  const stats = useQuery(queueStatsQuery(client, id, queue.id)).data
  const { times } = useItemTimes(queue.id)
  const total = stats?.total_items ?? 0
  const done = stats?.completed_items ?? 0
  const isOfOther = item.annotation_state === 'in_progress' && item.annotator_user_id !== username
  const texts = [
    `${done.toLocaleString('en')} done`,
    `${(total - done).toLocaleString('en')} left`,
    timeLeft(times, total - done),
    queue.reviewers_per_item > 1 ? `${item.review_count} of ${queue.reviewers_per_item} reviews` : undefined,
  ]
  return (
    <div className="flex min-h-10 shrink-0 items-center gap-x-3 gap-y-1 border-b border-line px-4 max-lg:flex-wrap max-lg:py-1.5">
      <span className="num font-medium whitespace-nowrap">
        {place === undefined ? 'Item' : `Item ${place.toLocaleString('en')} of ${total.toLocaleString('en')}`}
      </span>
      {item.annotation_state !== 'unstarted' && (
        <Badge tone={item.annotation_state === 'completed' ? 'green' : 'neutral'}>
          {stateNames[item.annotation_state]}
          {isOfOther && `, ${item.annotator_user_id}`}
        </Badge>
      )}
      <span className="w-56 min-w-12 shrink">
        <Progress value={total === 0 ? 0 : done / total} label={`${done} of ${total} items are done`} />
      </span>
      <span className="num shrink-0 text-xs text-fg-3">{texts.filter((text) => text !== undefined).join(', ')}</span>
      {filter !== undefined && <Tag>{filterNames[filter]}</Tag>}
      <span className="grow" />
      <ClaimLine claim={claim} minutes={queue.reservation_minutes} />
    </div>
  )
}
