import './notes.css'
import { readNote } from '@heddle/core-api'
import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../../lib/server/session.ts'

/** The text of a note with its mentions as marks, those of the person who is signed in stronger. Nothing else in it is markup. */
export function NoteText({ text }: { text: string }) {
  const username = useQuery(sessionQuery).data?.username
  return (
    <span className="note-text">
      {readNote(text).map(({ text: part, mention }, at) =>
        mention === undefined ? (
          part
        ) : (
          // Parts keep their order, so the index is a stable key.
          <mark key={at} className={mention === username ? 'mention of-me' : 'mention'}>
            @{mention}
          </mark>
        ),
      )}
    </span>
  )
}
