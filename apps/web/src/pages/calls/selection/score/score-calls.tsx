import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { client } from '../../../../lib/server/client.ts'
import { useProject } from '../../../../lib/use-project.ts'
import { Failure } from '../../../../ui/states/failure.tsx'
import { ShowQuery } from '../../../../ui/states/show-query.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Checkbox } from '../../../../ui/field.tsx'
import { maxChosen, maxScored, maxScorers, type OfferedScorer, readScoreCalls, scorersQuery } from './score-queries.ts'
import { ScoreProgress } from './score-progress.tsx'

/** Lets the server score calls, and shows how far it is. */
export function ScoreCalls({ ids, onClose }: { ids: readonly string[]; onClose: () => void }) {
  const project = useProject()
  const { id: project_id } = project
  const [chosen, setChosen] = useState<readonly string[]>([])
  const start = useMutation({
    mutationFn: async () => {
      const request = { callIds: [...ids], scorers: [...chosen] }
      // Calls that were scored before have such calls already.
      const before = new Set((await readScoreCalls(project_id, request)).map(({ id }) => id))
      await client.scores.scoreCalls({ project_id, call_ids: request.callIds, scorer_refs: request.scorers })
      return { ...request, before, atMs: Date.now() }
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title="Score"
      width="w-160"
      footer={
        <>
          <Button size="md" onClick={onClose}>
            {start.data ? 'Close' : 'Cancel'}
          </Button>
          <Button size="md" variant="primary" disabled={chosen.length === 0} loading={start.isPending} onClick={() => start.mutate()}>
            {ids.length === 1 ? 'Score call' : `Score ${ids.length} calls`}
          </Button>
        </>
      }
    >
      <div className="flex max-h-[55vh] flex-col gap-3 overflow-auto p-1">
        <ShowQuery query={useQuery(scorersQuery(project))} what="scorers">
          {({ scorers, hasMore }) => (
            <>
              {hasMore && <p className="text-xs text-fg-3">{`These are the newest ${maxScorers} scorers.`}</p>}
              <ScorerChoices scorers={scorers.filter(({ isOnServer }) => isOnServer)} chosen={chosen} onChange={setChosen} />
              <NotOffered names={scorers.filter(({ isOnServer }) => !isOnServer).map(({ name }) => name)} />
            </>
          )}
        </ShowQuery>
        <Failure error={start.error} before="No call was scored." />
        {start.data && <ScoreProgress key={start.submittedAt} request={start.data} />}
      </div>
    </Dialog>
  )
}

interface ChoicesProperties {
  scorers: readonly OfferedScorer[]
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}

function ScorerChoices({ scorers, chosen, onChange }: ChoicesProperties) {
  const { entity, project } = useProject()
  const toggle = (ref: string) => onChange(chosen.includes(ref) ? chosen.filter((one) => one !== ref) : [...chosen, ref])
  if (scorers.length === 0) {
    return (
      <p>
        No scorer here runs on the server.{' '}
        <Link
          to="/$entity/$project/$kind"
          params={{ entity, project, kind: 'scorers' }}
          className="font-medium text-accent-text hover:underline"
        >
          Its scorers
        </Link>
      </p>
    )
  }
  return (
    <>
      <fieldset className="m-0 flex flex-wrap gap-x-4 gap-y-1 border-0 p-0">
        <legend className="sr-only">Scorers</legend>
        {scorers.map(({ name, ref }) => (
          <Checkbox
            key={ref}
            label={name}
            checked={chosen.includes(ref)}
            disabled={!chosen.includes(ref) && chosen.length >= maxChosen}
            onChange={() => toggle(ref)}
          />
        ))}
      </fieldset>
      <p className="text-xs text-fg-3">{`The latest version of each scorer. At once, at most ${maxScored} calls by ${maxChosen} scorers.`}</p>
    </>
  )
}

const maxNames = 10

function NotOffered({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null
  const more = names.length - maxNames
  return (
    <p className="text-xs text-fg-3">
      {`Not offered, being code of a program, which the server never runs: ${names.slice(0, maxNames).join(', ')}${more > 0 ? ` and ${more} more` : ''}.`}
    </p>
  )
}
