import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { readAgain } from '../../app/read-again.ts'
import { useProject } from '../../app/use-project.ts'
import { LongText } from '../../components/long-text.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { ShowQuery } from '../../components/show-query.tsx'
import { Time } from '../../components/time.tsx'
import { toText } from '../../components/to-text.ts'
import { AddNote } from './add-note.tsx'
import { callFeedbackQuery } from './trace-queries.ts'

/** Reactions, notes and scores on a call. */
export function CallFeedback({ id }: { id: string }) {
  const { id: project } = useProject()
  const queries = useQueryClient()
  const about = callFeedbackQuery(project, id)
  const query = useInfiniteQuery(about)
  return (
    <>
      <AddNote key={id} call={id} onSaved={() => void readAgain(queries, about.queryKey)} />
      <ShowQuery query={query} what="feedback">
        {({ pages }) => {
          const rows = pages.flatMap(({ result }) => result)
          return (
            <>
              {rows.length === 0 && <p className="muted">Nobody has given feedback on this call.</p>}
              {rows.map((item) => (
                <section key={String(item.id)} aria-label="Feedback">
                  <p className="muted">
                    {String(item.feedback_type)} · {String(item.creator ?? item.wb_user_id)} · <Time value={String(item.created_at)} />
                  </p>
                  <LongText label="Feedback" text={toText(item.payload)} />
                </section>
              ))}
              {query.hasNextPage && (
                <p className="notice">
                  {`The newest ${rows.length.toLocaleString('en')} of ${(pages.at(-1)?.total_count ?? 0).toLocaleString('en')} are shown.`}{' '}
                  <MoreButton query={query}>Load more</MoreButton>
                </p>
              )}
            </>
          )
        }}
      </ShowQuery>
    </>
  )
}
