import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { client } from '../../../app/client.ts'
import { useProject } from '../../../app/use-project.ts'
import { ShowQuery } from '../../../components/show-query.tsx'
import { numberText } from '../../evaluations/charts/number-text.ts'
import { agreementOf } from './agreement.ts'
import { answersQuery, type QueueAnswer } from './answers-query.ts'

const maxFields = 100

/** How many answers each field of a queue has, and how far annotators agree on it. */
export function QueueAnswers({ queue }: { queue: string }) {
  const project = useProject()
  return (
    <section aria-labelledby="answers">
      <h2 id="answers">Answers</h2>
      <ShowQuery query={useQuery(answersQuery(client, project.id, queue))} what="the answers">
        {({ answers, total }) => (
          <>
            {total > answers.length && <AnswersLeftOut total={total} read={answers.length} />}
            <FieldTable answers={answers} />
          </>
        )}
      </ShowQuery>
    </section>
  )
}

function AnswersLeftOut({ total, read }: { total: number; read: number }) {
  return (
    <p className="notice">
      {read.toLocaleString('en')} answers of the {total.toLocaleString('en')} feedbacks of this queue are counted; the others are of another
      kind, or beyond the bound.
    </p>
  )
}

function FieldTable({ answers }: { answers: readonly QueueAnswer[] }) {
  const fields = useMemo(() => {
    const names = [...new Set(answers.flatMap(({ field }) => field ?? []))].slice(0, maxFields)
    return names.map((name) => {
      const own = answers.filter(({ field }) => field === name).map(({ callId, annotator, value }) => ({ item: callId, annotator, value }))
      return { name, answers: own.length, annotators: new Set(own.map(({ annotator }) => annotator)).size, ...agreementOf(own) }
    })
  }, [answers])
  if (fields.length === 0) return <p className="muted">Nobody has answered a field yet.</p>
  return (
    <div className="scroll">
      <table>
        <caption className="muted">
          Agreement is over items that at least two annotators answered. Alpha is Krippendorff's: 1 is full agreement, 0 what chance gives.
        </caption>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col" className="number">
              Answers
            </th>
            <th scope="col" className="number">
              Annotators
            </th>
            <th scope="col" className="number">
              Items with several
            </th>
            <th scope="col" className="number">
              Equal answers
            </th>
            <th scope="col" className="number">
              Alpha
            </th>
          </tr>
        </thead>
        <tbody>
          {fields.map(({ name, answers: count, annotators, items, percent, alpha }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td className="number">{count}</td>
              <td className="number">{annotators}</td>
              <td className="number">{items}</td>
              <td className="number">{percent === null ? 'no data' : numberText(percent, true)}</td>
              <td className="number">{alpha === null ? (items === 0 ? 'no data' : 'all equal') : numberText(alpha, false)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
