import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { exactClient } from '../../../lib/server/client.ts'
import { useProject } from '../../../lib/use-project.ts'
import { ShowQuery } from '../../../ui/states/show-query.tsx'
import { numberText } from '../../../lib/texts/number-text.ts'
import { ListTable, type ListColumn } from '../../../ui/list-table.tsx'
import { agreementOf } from './agreement.ts'
import { answersQuery, type QueueAnswer } from '../../../features/queues/answers-query.ts'
import { numberColumn, textColumn } from '../../../ui/table/column-kinds.tsx'

const maxFields = 100

/** How many answers each field of a queue has, and how far annotators agree on it. */
export function QueueAnswers({ queue }: { queue: string }) {
  const project = useProject()
  return (
    <section aria-label="Answers">
      <ShowQuery query={useQuery(answersQuery(exactClient, project.id, queue))} what="the answers">
        {({ answers, total }) => (
          <>
            <FieldTable answers={answers} />
            {total > answers.length && (
              <p className="px-4 py-2 text-xs text-fg-3">
                {answers.length.toLocaleString('en')} answers of {total.toLocaleString('en')} feedback entries
              </p>
            )}
          </>
        )}
      </ShowQuery>
    </section>
  )
}

interface FieldAnswers {
  name: string
  answers: number
  annotators: number
  /** Items that at least two annotators answered. */
  items: number
  percent: number | null
  alpha: number | null
}

function FieldTable({ answers }: { answers: readonly QueueAnswer[] }) {
  const fields = useMemo((): FieldAnswers[] => {
    const names = [...new Set(answers.flatMap(({ field }) => field ?? []))].slice(0, maxFields)
    return names.map((name) => {
      const own = answers.filter(({ field }) => field === name).map(({ callId, annotator, value }) => ({ item: callId, annotator, value }))
      return { name, answers: own.length, annotators: new Set(own.map(({ annotator }) => annotator)).size, ...agreementOf(own) }
    })
  }, [answers])
  if (fields.length === 0) return <p className="p-4 text-fg-3">No answers yet</p>
  return <ListTable label="Answers by question" edge={false} rows={fields} rowId={({ name }) => name} columns={columns} />
}

const columns: ListColumn<FieldAnswers>[] = [
  textColumn('field', 'Question', 'auto', ({ name }) => name, { look: 'strong' }),
  numberColumn('answers', 'Answers', '96px', ({ answers }) => answers),
  numberColumn('annotators', 'Annotators', '96px', ({ annotators }) => annotators),
  numberColumn('items', 'By several', '96px', ({ items }) => items),
  numberColumn('equal', 'Agreement', '104px', ({ percent }) => percent, {
    tip: 'Equal answers, over items that at least two annotators answered',
    show: (share) => numberText(share, true),
  }),
  {
    id: 'alpha',
    title: 'Alpha',
    tip: 'Krippendorff’s alpha: 1 is full agreement, 0 is chance',
    width: '96px',
    align: 'right',
    cell: ({ items, alpha }) => (alpha !== null ? numberText(alpha, false) : items === 0 ? undefined : 'All equal'),
  },
]
