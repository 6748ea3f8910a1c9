import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../app/client.ts'
import { useProject } from '../../app/use-project.ts'
import { NoteText } from '../../components/notes/note-text.tsx'
import { ShowQuery } from '../../components/show-query.tsx'
import { Time } from '../../components/time.tsx'
import { toCell } from '../../components/to-text.ts'
import { answersQuery } from '../queues/answers/answers-query.ts'

interface Properties {
  queue: string
  call: string
  /** Whose answers are in the fields. */
  username: string
}

/** What others have answered for an item, to read alone. Closed until it is asked for, so that nobody's judgement follows it unseen. */
export function OtherAnswers({ queue, call, username }: Properties) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Answers of others</summary>
      {isOpen && <AnswerList queue={queue} call={call} username={username} />}
    </details>
  )
}

function AnswerList({ queue, call, username }: Properties) {
  const project = useProject()
  const query = useQuery(answersQuery(client, project.id, queue, call))
  return (
    <ShowQuery query={query} what="the answers of others">
      {({ answers }) => {
        const others = answers.filter(({ annotator }) => annotator !== username)
        if (others.length === 0) return <p className="muted">Nobody else has answered yet.</p>
        return (
          <ul>
            {others.map(({ annotator, field, isCorrection, value, createdAt }, at) => (
              // Answers keep their places.
              <li key={at}>
                {annotator}: {field ?? (isCorrection ? 'corrected output' : 'note')}{' '}
                <strong>{field === undefined && !isCorrection ? <NoteText text={toCell(value, 1_024)} /> : textOf(value)}</strong>{' '}
                <Time value={createdAt} />
              </li>
            ))}
          </ul>
        )
      }}
    </ShowQuery>
  )
}

const textOf = (value: unknown) => (value === true ? 'yes' : value === false ? 'no' : toCell(value, 300))
