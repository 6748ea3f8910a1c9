import { useQuery } from '@tanstack/react-query'
import { Users } from 'lucide-react'
import { exactClient } from '../../lib/server/client.ts'
import { useProject } from '../../lib/use-project.ts'
import { NoteText } from '../../features/notes/note-text.tsx'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { TimeInColumn } from '../../ui/time/time.tsx'
import { toCell } from '../../lib/texts/to-text.ts'
import { Fold } from '../../ui/fold.tsx'
import { answersQuery } from '../../features/queues/answers-query.ts'

interface Properties {
  queue: string
  call: string
  /** Whose answers are in the fields. */
  username: string
}

/** Other users' answers for an item, read-only. Closed until requested, so that they do not influence the user's own answer. */
export const OtherAnswers = (properties: Properties) => (
  <Fold icon={Users} title="Other answers">
    <AnswerList {...properties} />
  </Fold>
)

function AnswerList({ queue, call, username }: Properties) {
  const project = useProject()
  const query = useQuery(answersQuery(exactClient, project.id, queue, call))
  return (
    <ShowQuery query={query} what="other answers">
      {({ answers }) => {
        const others = answers.filter(({ annotator }) => annotator !== username)
        if (others.length === 0) return <p className="text-fg-3">No answers yet</p>
        return (
          <ul aria-label="Other answers" className="flex flex-col gap-2">
            {others.map(({ annotator, field, isCorrection, value, createdAt }, at) => (
              // Answers keep their order, so the index is a stable key.
              <li key={String(at)} className="[overflow-wrap:anywhere]">
                <span className="flex items-baseline gap-2 text-xs text-fg-3">
                  <span className="min-w-0 grow truncate">
                    {annotator}: {field ?? (isCorrection ? 'Correction' : 'Note')}
                  </span>
                  <TimeInColumn value={createdAt} />
                </span>
                {field === undefined && !isCorrection ? <NoteText text={toCell(value, 1_024)} /> : textOf(value)}
              </li>
            ))}
          </ul>
        )
      }}
    </ShowQuery>
  )
}

const textOf = (value: unknown) => (value === true ? 'Yes' : value === false ? 'No' : toCell(value, 300))
