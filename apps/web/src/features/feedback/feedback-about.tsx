import type { Feedback } from '@heddle/core-api/types'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { readAgain } from '../../lib/server/read-again.ts'
import { useProject } from '../../lib/use-project.ts'
import { MoreButton } from '../../ui/table/more-button.tsx'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { TimeInColumn } from '../../ui/time/time.tsx'
import { rowScoreOf } from '../calls/row-score.ts'
import { ScoreMark } from '../calls/score-mark.tsx'
import { JsonView } from '../../ui/json-view.tsx'
import { feedbackAboutKey, feedbackAboutQuery } from './feedback-about-query.ts'
import { GiveFeedback } from './give-feedback.tsx'
import { NotesAbout } from './notes-about.tsx'
import { RemoveButton } from './remove-button.tsx'

interface Properties {
  /** Reference to the subject of the feedback. */
  about: string
  /** Called when feedback was given or removed. */
  onChange?: () => void
}

/** Notes about a subject as a conversation, other feedback about it, newest first, and a form to add some. Users may remove their own feedback. */
export function FeedbackAbout({ about, onChange }: Properties) {
  const { id: project } = useProject()
  const queries = useQueryClient()
  const query = useInfiniteQuery(feedbackAboutQuery(project, about, 'others'))

  function onSaved() {
    void readAgain(queries, feedbackAboutKey(project, about))
    onChange?.()
  }

  return (
    <div className="flex flex-col gap-4">
      <GiveFeedback key={about} about={about} onSaved={onSaved} />
      <NotesAbout key={`notes ${about}`} about={about} onChange={onSaved} />
      <ShowQuery query={query} what="feedback">
        {({ pages }) => {
          const rows = pages.flatMap(({ result }) => result)
          return (
            <div className="flex flex-col gap-3">
              {rows.length === 0 ? (
                <p className="text-fg-3">No reactions or scores yet</p>
              ) : (
                <div className="divide-y divide-line rounded-lg border border-line">
                  {rows.map((item) => (
                    <ShowFeedback key={String(item.id)} item={item} onRemoved={onSaved} />
                  ))}
                </div>
              )}
              {query.hasNextPage && (
                <p className="num flex items-center gap-2 text-xs text-fg-3">
                  {`Newest ${rows.length.toLocaleString('en')} of ${(pages.at(-1)?.total_count ?? 0).toLocaleString('en')}`}
                  <MoreButton query={query}>Load more</MoreButton>
                </p>
              )}
            </div>
          )
        }}
      </ShowQuery>
    </div>
  )
}

const shortPayload = ['output', 'value', 'emoji', 'alias', 'detoned', 'detoned_alias']

/** A score or a reaction as its mark; any other feedback as it was sent. */
function ShowFeedback({ item, onRemoved }: { item: Feedback; onRemoved: () => void }) {
  const score = rowScoreOf(item)
  const { payload } = item
  const said = Object.keys(typeof payload === 'object' && payload !== null ? payload : {})
  const isWhole = score !== undefined && said.every((name) => shortPayload.includes(name))
  return (
    <section aria-label="Feedback" className="px-3 py-1.5">
      <div className="flex min-h-7 flex-wrap items-center gap-x-2 text-xs text-fg-3">
        {score && <ScoreMark score={score} />}
        <span className="mono truncate">{String(item.feedback_type)}</span>
        <span className="grow" />
        <span>{String(item.creator ?? item.wb_user_id)}</span>
        <TimeInColumn value={String(item.created_at)} />
        <RemoveButton item={item} what="feedback" onRemoved={onRemoved} />
      </div>
      {!isWhole && (
        <div className="py-1">
          <JsonView isBare label="Feedback" value={payload} />
        </div>
      )}
    </section>
  )
}
