import type { Feedback } from '@heddle/core-api'
import { memberOf } from '@heddle/core-api/internal'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { client } from '../../../app/client.ts'
import { useProject } from '../../../app/use-project.ts'
import { Failure } from '../../../components/failure.tsx'
import { MoreButton } from '../../../components/more-button.tsx'
import { NoteField } from '../../../components/notes/note-field.tsx'
import { NoteText } from '../../../components/notes/note-text.tsx'
import { ShowQuery } from '../../../components/show-query.tsx'
import { TimeAgo } from '../../../components/time.tsx'
import { noteType } from '../../queues/answers/answer-types.ts'
import { feedbackAboutQuery } from './feedback-about-query.ts'
import { RemoveButton } from './remove-button.tsx'

interface Properties {
  /** Reference to what the notes are about. */
  about: string
  /** In words, such as `call`. */
  what: string
  /** Called when a note was added or removed. */
  onChange: () => void
}

/** The notes on one thing in the order of time, and the way to add one. */
export function NotesAbout({ about, what, onChange }: Properties) {
  const { id: project } = useProject()
  const query = useInfiniteQuery(feedbackAboutQuery(project, about, 'notes'))
  return (
    <section aria-label="Notes">
      <ShowQuery query={query} what="notes">
        {({ pages }) => {
          const notes = pages.flatMap(({ result }) => result).toReversed()
          return (
            <>
              {query.hasNextPage && (
                <p className="notice">
                  {`The newest ${notes.length.toLocaleString('en')} of ${(pages.at(-1)?.total_count ?? 0).toLocaleString('en')} notes are shown.`}{' '}
                  <MoreButton query={query}>Load earlier notes</MoreButton>
                </p>
              )}
              {notes.length === 0 ? (
                <p className="muted">No notes on this {what} yet.</p>
              ) : (
                <ol className="notes">
                  {notes.map((note) => (
                    <ShowNote key={String(note.id)} note={note} onRemoved={onChange} />
                  ))}
                </ol>
              )}
            </>
          )
        }}
      </ShowQuery>
      <AddNote about={about} onAdded={onChange} />
    </section>
  )
}

function ShowNote({ note, onRemoved }: { note: Feedback; onRemoved: () => void }) {
  const { wb_user_id, creator, created_at, payload } = note
  const author = String(wb_user_id)
  return (
    <li>
      <p className="muted">
        <strong>{author}</strong>
        {typeof creator === 'string' && creator !== author && ` as ${creator}`} · <TimeAgo value={String(created_at)} />{' '}
        <RemoveButton item={note} what="note" onRemoved={onRemoved} />
      </p>
      <p>
        <NoteText text={String(memberOf(payload, 'note') ?? '')} />
      </p>
    </li>
  )
}

/** What was typed stays until it is saved. */
function AddNote({ about, onAdded }: { about: string; onAdded: () => void }) {
  const { id: project_id } = useProject()
  const [note, setNote] = useState('')
  const id = useId()
  const save = useMutation({
    mutationFn: () => client.feedback.create({ project_id, weave_ref: about, feedback_type: noteType, payload: { note } }),
    onSuccess() {
      setNote('')
      onAdded()
    },
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    save.mutate()
  }
  return (
    <form onSubmit={submit}>
      <label htmlFor={id}>Note</label>
      <NoteField id={id} rows={2} maxLength={1_024} value={note} onChange={setNote} />
      <p className="muted">@ mentions someone.</p>
      <button type="submit" disabled={note.trim() === '' || save.isPending}>
        Add note
      </button>
      <Failure before="Not saved." error={save.error} />
    </form>
  )
}
