import { useQuery, useQueryClient } from '@tanstack/react-query'
import { readAgain } from '../../lib/server/read-again.ts'
import { useProject } from '../../lib/use-project.ts'
import { formatDuration } from '../../lib/time/duration.ts'
import { formatCost } from '../../lib/texts/format-cost.ts'
import { readableName } from '../../lib/texts/readable-name.ts'
import { Time } from '../../ui/time/time.tsx'
import { Tag } from '../../ui/badge.tsx'
import { Facts } from '../../ui/card.tsx'
import { FeedbackAbout } from '../../features/feedback/feedback-about.tsx'
import { factsOfThread } from './thread-facts.ts'
import { conversationRef, threadMarksKey, threadMarksQuery } from './threads-queries.ts'
import type { Turn } from './to-turn.ts'

interface Properties {
  thread: string
  turns: readonly Turn[]
  /** Whether the thread has turns that are not loaded. */
  hasMore: boolean
}

/** Usage of the turns, and feedback about the thread as a whole. */
export function ThreadDetails({ thread, turns, hasMore }: Properties) {
  const facts = factsOfThread(turns)
  if (facts === undefined) return null
  const { startedAt, openMs, tokens, cost, unpriced } = facts
  const isOpenKnown = openMs !== null && !hasMore
  return (
    <aside aria-label="Details" className="shrink-0 border-line max-xl:border-t xl:w-68 xl:overflow-auto xl:border-l" tabIndex={0}>
      <div className="border-b border-line p-4">
        <Facts
          rows={[
            [
              'Thread',
              <span key="id" className="mono block truncate" data-cut="" data-tip={readableName(thread)}>
                {thread}
              </span>,
            ],
            ['Started', <Time key="started" value={startedAt} />],
            ...(isOpenKnown ? ([['Open for', formatDuration(openMs)]] as [string, string][]) : []),
          ]}
        />
      </div>
      <section aria-labelledby="time-per-turn" className="border-b border-line p-4">
        <h3 id="time-per-turn" className="mb-3 font-semibold">
          Time per turn
        </h3>
        <TimePerTurn turns={turns} />
        <dl className="num mt-4 grid grid-cols-3 gap-2">
          <Sum name="Turns" value={`${turns.length.toLocaleString('en')}${hasMore ? '+' : ''}`} />
          <Sum name="Tokens" value={tokens?.toLocaleString('en') ?? '–'} />
          <Sum name="Cost" value={cost === null ? (unpriced > 0 ? 'No price' : '–') : formatCost(cost)} />
        </dl>
      </section>
      <FeedbackOnThread thread={thread} />
    </aside>
  )
}

const Sum = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt className="text-xs text-fg-3">{name}</dt>
    <dd className="font-medium">{value}</dd>
  </div>
)

/** The last turns that are drawn. */
const maxBars = 12

function TimePerTurn({ turns }: { turns: readonly Turn[] }) {
  const from = Math.max(0, turns.length - maxBars)
  const shown = turns.slice(from)
  const most = Math.max(...shown.map(({ latencyMs }) => latencyMs ?? 0), 1)
  return (
    <ol className="flex flex-col gap-2.5">
      {shown.map(({ id, latencyMs }, at) => (
        <li key={id} className="num grid grid-cols-[24px_minmax(0,1fr)_64px] items-center gap-2 text-xs">
          <span className="text-fg-3">{from + at + 1}</span>
          <span aria-hidden className="h-1.5 overflow-hidden rounded-full bg-active">
            <span className="block h-full rounded-full bg-s1" style={{ width: `${((latencyMs ?? 0) / most) * 100}%` }} />
          </span>
          <span className="text-right whitespace-nowrap">{latencyMs === null ? 'Running' : formatDuration(latencyMs)}</span>
        </li>
      ))}
    </ol>
  )
}

function FeedbackOnThread({ thread }: { thread: string }) {
  const project = useProject()
  const queries = useQueryClient()
  const marks = useQuery(threadMarksQuery(project, [thread])).data?.get(thread) ?? []
  return (
    <section aria-label="Feedback on this thread" className="p-4">
      <div className="mb-3 flex flex-wrap items-center gap-1.5">
        <h3 className="font-semibold">Feedback</h3>
        {marks.map((mark) => (
          <Tag key={mark}>{mark}</Tag>
        ))}
      </div>
      <FeedbackAbout about={conversationRef(project, thread)} onChange={() => void readAgain(queries, threadMarksKey(project.id))} />
    </section>
  )
}
