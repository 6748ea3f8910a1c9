import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { readAgain } from '../../../app/read-again.ts'
import { useProject } from '../../../app/use-project.ts'
import { LongText } from '../../../components/long-text.tsx'
import { MoreButton } from '../../../components/more-button.tsx'
import { ShowQuery } from '../../../components/show-query.tsx'
import { Time } from '../../../components/time.tsx'
import { toText } from '../../../components/to-text.ts'
import { feedbackAboutKey, feedbackAboutQuery } from './feedback-about-query.ts'
import { GiveFeedback } from './give-feedback.tsx'
import { NotesAbout } from './notes-about.tsx'
import { RemoveButton } from './remove-button.tsx'

interface Properties {
  /** Reference to what the feedback is about. */
  about: string
  /** In words, such as `call`. */
  what: string
  /** Called when feedback was given or removed. */
  onChange?: () => void
}

/** Notes on one thing as a conversation, other feedback on it, the newest first, and the way to give some. A person may remove what they gave. */
export function FeedbackAbout({ about, what, onChange }: Properties) {
  const { id: project } = useProject()
  const queries = useQueryClient()
  const query = useInfiniteQuery(feedbackAboutQuery(project, about, 'others'))

  function onSaved() {
    void readAgain(queries, feedbackAboutKey(project, about))
    onChange?.()
  }

  return (
    <>
      <GiveFeedback key={about} about={about} onSaved={onSaved} />
      <NotesAbout key={`notes ${about}`} about={about} what={what} onChange={onSaved} />
      <ShowQuery query={query} what="feedback">
        {({ pages }) => {
          const rows = pages.flatMap(({ result }) => result)
          return (
            <>
              {rows.length === 0 && <p className="muted">No reactions and scores on this {what} yet.</p>}
              {rows.map((item) => (
                <section key={String(item.id)} aria-label="Feedback">
                  <p className="muted">
                    {String(item.feedback_type)} · {String(item.creator ?? item.wb_user_id)} · <Time value={String(item.created_at)} />{' '}
                    <RemoveButton item={item} what="feedback" onRemoved={onSaved} />
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
