import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client } from '../../../app/client.ts'
import { readAgain } from '../../../app/read-again.ts'
import { sessionQuery } from '../../../app/session.ts'
import { useProject } from '../../../app/use-project.ts'
import { Failure } from '../../../components/failure.tsx'
import { LongText } from '../../../components/long-text.tsx'
import { MoreButton } from '../../../components/more-button.tsx'
import { ShowQuery } from '../../../components/show-query.tsx'
import { Time } from '../../../components/time.tsx'
import { toText } from '../../../components/to-text.ts'
import { feedbackAboutQuery } from './feedback-about-query.ts'
import { GiveFeedback } from './give-feedback.tsx'

interface Properties {
  /** Reference to what the feedback is about. */
  about: string
  /** In words, such as `call`. */
  what: string
  /** Called when feedback was given or removed. */
  onChange?: () => void
}

/** Reactions, notes and scores on one thing, the newest first, and the way to give some. A person may remove what they gave. */
export function FeedbackAbout({ about, what, onChange }: Properties) {
  const { id: project } = useProject()
  const queries = useQueryClient()
  const all = feedbackAboutQuery(project, about)
  const query = useInfiniteQuery(all)

  function onSaved() {
    void readAgain(queries, all.queryKey)
    onChange?.()
  }

  const username = useQuery(sessionQuery).data?.username
  const remove = useMutation({
    mutationFn: (id: string) =>
      client.feedback.purge({ project_id: project, query: { $expr: { $eq: [{ $getField: 'id' }, { $literal: id }] } } }),
    onSuccess: onSaved,
  })

  return (
    <>
      <GiveFeedback key={about} about={about} onSaved={onSaved} />
      <Failure before="Not removed." error={remove.error} />
      <ShowQuery query={query} what="feedback">
        {({ pages }) => {
          const rows = pages.flatMap(({ result }) => result)
          return (
            <>
              {rows.length === 0 && <p className="muted">Nobody has given feedback on this {what}.</p>}
              {rows.map((item) => (
                <section key={String(item.id)} aria-label="Feedback">
                  <p className="muted">
                    {String(item.feedback_type)} · {String(item.creator ?? item.wb_user_id)} · <Time value={String(item.created_at)} />{' '}
                    {item.wb_user_id === username && (
                      <button
                        type="button"
                        className="small"
                        disabled={remove.isPending}
                        onClick={() => window.confirm('Remove this feedback for good?') && remove.mutate(String(item.id))}
                      >
                        Remove
                      </button>
                    )}
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
