import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Ellipsis, ListTree, MessagesSquare } from 'lucide-react'
import { useMemo } from 'react'
import { useProject } from '../../lib/use-project.ts'
import { Pending } from '../../ui/states/pending.tsx'
import { QueryProblem } from '../../ui/states/query-problem.tsx'
import { IconButton } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { ShowTurn } from './show-turn.tsx'
import { ThreadDetails } from './thread-details.tsx'
import { titleOfThread } from './thread-facts.ts'
import { threadsQuery, turnsQuery } from './threads-queries.ts'
import { MoreButton, type MorePages } from '../../ui/table/more-button.tsx'

const list = getRouteApi('/$entity/$project/threads')
const route = getRouteApi('/$entity/$project/threads/$thread')

/** A thread that is named in the address. */
export function ThreadPage() {
  const { thread } = route.useParams()
  return <ShowThread key={thread} thread={thread} />
}

/** The first thread of the list, until one is chosen. */
export function FirstThreadPage() {
  const { id } = useProject()
  const first = useInfiniteQuery(threadsQuery(id, list.useSearch())).data?.pages[0]?.[0]
  return first && <ShowThread key={first.thread_id} thread={first.thread_id} />
}

/** A conversation: its turns as one chat, each with its trace, cost and feedback. */
function ShowThread({ thread }: { thread: string }) {
  const { id } = useProject()
  const query = useInfiniteQuery(turnsQuery(id, thread))
  const turns = useMemo(() => query.data?.pages.flat(), [query.data])
  return (
    // Next to each other if there is room, else below each other.
    <div
      className="flex min-h-0 min-w-0 grow flex-col overflow-auto xl:flex-row xl:overflow-hidden"
      tabIndex={0}
      role="region"
      aria-label="Thread"
    >
      <section aria-label="Conversation" className="flex min-w-0 flex-col xl:min-h-0 xl:grow">
        <div className="flex h-12 shrink-0 items-center gap-2 border-b border-line pr-3 pl-6">
          <h2 className="truncate font-semibold" data-cut="" data-tip={turns && titleOfThread(turns)}>
            {(turns && titleOfThread(turns)) ?? 'Conversation'}
          </h2>
          <span className="mono max-w-2/5 truncate text-fg-3">{thread}</span>
          <CopyButton text={thread} label="Copy thread ID" />
          <span className="grow" />
          <ThreadMenu thread={thread} />
        </div>
        <div className="xl:min-h-0 xl:grow xl:overflow-auto" tabIndex={0} role="region" aria-label="Turns">
          <div className="mx-auto flex max-w-190 flex-col px-6 py-4">
            {query.error && <QueryProblem error={query.error} retry={() => void query.refetch()} />}
            {query.isPending && <Pending what="the conversation" />}
            {turns?.length === 0 && <NoTurns thread={thread} />}
            {turns?.map((turn, at) => (
              <ShowTurn key={turn.id} turn={turn} number={at + 1} />
            ))}
            {query.hasNextPage && turns && <LoadMore count={turns.length} query={query} />}
          </div>
        </div>
      </section>
      {turns && turns.length > 0 && <ThreadDetails thread={thread} turns={turns} hasMore={query.hasNextPage} />}
    </div>
  )
}

function ThreadMenu({ thread }: { thread: string }) {
  const { entity, project } = useProject()
  const navigate = list.useNavigate()
  return (
    <Menu label="Thread" placement="bottom-end" trigger={<IconButton label="Thread actions" icon={Ellipsis} variant="secondary" />}>
      <MenuItem
        icon={ListTree}
        onClick={() =>
          void navigate({
            to: '/$entity/$project/calls',
            params: { entity, project },
            search: { level: 'all', where: [{ path: 'thread_id', operator: '=', value: thread }] },
          })
        }
      >
        Spans of this thread
      </MenuItem>
    </Menu>
  )
}

function NoTurns({ thread }: { thread: string }) {
  const { entity, project } = useProject()
  return (
    <EmptyState
      icon={MessagesSquare}
      title="No turns"
      actions={
        <Link
          to="/$entity/$project/calls"
          params={{ entity, project }}
          search={{ level: 'all', where: [{ path: 'thread_id', operator: '=', value: thread }] }}
          className="font-medium text-accent-text hover:underline"
        >
          Spans with this thread ID
        </Link>
      }
    >
      Its traces were deleted, or none of its spans is a turn or a root.
    </EmptyState>
  )
}

/** Shows how many rows are loaded and whether there are more, with a button for the next ones. */
function LoadMore({ count, query }: { count: number; query: MorePages }) {
  return (
    <p className="mt-3 flex items-center gap-3 text-xs text-fg-3" role="status">
      {query.hasNextPage ? `${count.toLocaleString('en')} loaded` : `${count.toLocaleString('en')} in total`}{' '}
      <MoreButton query={query}>Load more</MoreButton>
    </p>
  )
}
