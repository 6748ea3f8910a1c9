import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { client } from '../../../../app/client.ts'
import { useProject } from '../../../../app/use-project.ts'
import { Failure } from '../../../../components/failure.tsx'
import { ShowQuery } from '../../../../components/show-query.tsx'
import { maxSelected } from '../use-selection.ts'
import { maxChosen, maxScorers, type OfferedScorer, readScoreCalls, scorersQuery } from './score-queries.ts'
import { ScoreProgress } from './score-progress.tsx'

/** Lets the server score calls, and shows how far it is. */
export function ScoreCalls({ ids }: { ids: readonly string[] }) {
  const project = useProject()
  return (
    <ShowQuery query={useQuery(scorersQuery(project))} what="scorers">
      {({ scorers, hasMore }) => (
        <>
          {hasMore && <p className="notice">{`These are the newest ${maxScorers} scorers.`}</p>}
          <ScorerForm ids={ids} scorers={scorers.filter(({ isOnServer }) => isOnServer)} />
          <NotOffered names={scorers.filter(({ isOnServer }) => !isOnServer).map(({ name }) => name)} />
        </>
      )}
    </ShowQuery>
  )
}

function ScorerForm({ ids, scorers }: { ids: readonly string[]; scorers: readonly OfferedScorer[] }) {
  const { id: project_id, ...params } = useProject()
  const [chosen, setChosen] = useState<readonly string[]>([])
  const start = useMutation({
    mutationFn: async () => {
      const asked = { callIds: [...ids], scorers: [...chosen] }
      // Calls that were scored before have such calls already.
      const before = new Set((await readScoreCalls(project_id, asked)).map(({ id }) => id))
      await client.scores.scoreCalls({ project_id, call_ids: asked.callIds, scorer_refs: asked.scorers })
      return { ...asked, before, atMs: Date.now() }
    },
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    start.mutate()
  }
  const toggle = (ref: string) => setChosen(chosen.includes(ref) ? chosen.filter((one) => one !== ref) : [...chosen, ref])
  if (scorers.length === 0) {
    return (
      <p>
        The project has no scorer that the server can run.{' '}
        <Link to="/$entity/$project/$kind" params={{ ...params, kind: 'scorers' }}>
          Its scorers
        </Link>
      </p>
    )
  }
  return (
    <form className="fields" onSubmit={submit}>
      <fieldset className="row">
        <legend>Scorers</legend>
        {scorers.map(({ name, ref }) => (
          <label key={ref}>
            <input
              type="checkbox"
              checked={chosen.includes(ref)}
              disabled={!chosen.includes(ref) && chosen.length >= maxChosen}
              onChange={() => toggle(ref)}
            />{' '}
            {name}
          </label>
        ))}
      </fieldset>
      <p className="muted">
        {`The server scores each call with the latest version of each scorer. At once, at most ${maxSelected} calls by ${maxChosen} scorers.`}
      </p>
      <button type="submit" className="primary" disabled={chosen.length === 0 || start.isPending}>
        {start.isPending ? 'Asking the server …' : ids.length === 1 ? 'Score the call' : `Score the ${ids.length} calls`}
      </button>
      <Failure error={start.error} before="No call was scored." />
      {start.data && <ScoreProgress key={start.submittedAt} asked={start.data} />}
    </form>
  )
}

const maxNames = 10

function NotOffered({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null
  const more = names.length - maxNames
  return (
    <p className="muted">
      {`Not offered, being code of a program, which the server never runs: ${names.slice(0, maxNames).join(', ')}${more > 0 ? ` and ${more} more` : ''}.`}
    </p>
  )
}
