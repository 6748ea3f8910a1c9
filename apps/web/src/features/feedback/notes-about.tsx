import type { Feedback } from '@heddle/core-api/types'
import { memberOf } from '@heddle/core-api/internal'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { client } from '../../lib/server/client.ts'
import { useProject } from '../../lib/use-project.ts'
import { Failure } from '../../ui/states/failure.tsx'
import { MoreButton } from '../../ui/table/more-button.tsx'
import { NoteField } from '../notes/note-field.tsx'
import { NoteText } from '../notes/note-text.tsx'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { TimeInColumn } from '../../ui/time/time.tsx'
import { noteType } from '../queues/answer-types.ts'
import { feedbackAboutQuery } from './feedback-about-query.ts'
import { RemoveButton } from './remove-button.tsx'
import { Avatar } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'

interface Properties {
  /** Reference to the subject of the notes. */
  about: string
  /** Called when a note was added or removed. */
  onChange: () => void
}

/** The notes on one thing in the order of time, and the way to add one. */
export function NotesAbout({ about, onChange }: Properties) {
  const { id: project } = useProject()
  const query = useInfiniteQuery(feedbackAboutQuery(project, about, 'notes'))
  return (
    <section aria-label="Notes" className="flex flex-col gap-3">
      <ShowQuery query={query} what="notes">
        {({ pages }) => {
          const notes = pages.flatMap(({ result }) => result).toReversed()
          return (
            <>
              {query.hasNextPage && (
                <p className="num flex items-center gap-2 text-xs text-fg-3">
                  {`Newest ${notes.length.toLocaleString('en')} of ${(pages.at(-1)?.total_count ?? 0).toLocaleString('en')} notes`}
                  <MoreButton query={query}>Load earlier notes</MoreButton>
                </p>
              )}
              {notes.length === 0 ? (
                <p className="text-fg-3">No notes yet</p>
              ) : (
                <ol className="flex flex-col gap-3">
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
    <li className="flex gap-2.5">
      <Avatar name={author} />
      <div className="min-w-0 grow">
        <div className="flex min-h-7 flex-wrap items-center gap-x-1.5 text-xs text-fg-3">
          <span className="font-medium text-fg">{author}</span>
          {typeof creator === 'string' && creator !== author && <span>as {creator}</span>}
          <TimeInColumn value={String(created_at)} />
          <span className="grow" />
          <RemoveButton item={note} what="note" onRemoved={onRemoved} />
        </div>
        <p className="[overflow-wrap:anywhere] whitespace-pre-wrap">
          <NoteText text={String(memberOf(payload, 'note') ?? '')} />
        </p>
      </div>
    </li>
  )
}

/** The typed text is kept until it is saved. */
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
    <form onSubmit={submit} className="flex flex-col items-start gap-1.5">
      <label htmlFor={id} className="text-xs font-medium text-fg-2">
        Note
      </label>
      <NoteField id={id} rows={2} maxLength={1_024} value={note} onChange={setNote} />
      <p className="text-xs text-fg-3">@ mentions someone</p>
      <Button type="submit" disabled={note.trim() === '' || save.isPending}>
        Add note
      </Button>
      <Failure before="Not saved." error={save.error} />
    </form>
  )
}
