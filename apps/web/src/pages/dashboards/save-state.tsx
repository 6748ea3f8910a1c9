import { Link } from '@tanstack/react-router'
import { useProject } from '../../app/use-project.ts'
import { Failure } from '../../components/failure.tsx'
import { Time } from '../../components/time.tsx'
import type { StoredDashboard } from './stored-dashboard.ts'
import type { DashboardDraft } from './use-draft.ts'

/** Who saved a dashboard when, with its versions; and what of the changes here is saved. */
export function SaveState({ latest, draft }: { latest: StoredDashboard | null; draft: DashboardDraft }) {
  const { isBehind, isChanged, saving } = draft
  return (
    <>
      {latest && <SavedBy latest={latest} />}
      <p role="status" className="muted">
        {draft.draft !== undefined && (isChanged ? 'Changes are not saved.' : 'Nothing is changed.')}
        {draft.draft === undefined && saving.data?.status === 'saved' && 'The dashboard was saved.'}
      </p>
      {isBehind && <Behind latest={latest} draft={draft} />}
      {saving.data?.status === 'saved' && saving.data.beside && <Beside digest={saving.data.digest} beside={saving.data.beside} />}
      <Failure error={saving.error} before="The dashboard was not saved; your changes stay here." />
    </>
  )
}

const nameOf = ({ savedBy }: StoredDashboard) => savedBy ?? 'Somebody'

function SavedBy({ latest }: { latest: StoredDashboard }) {
  const { entity, project } = useProject()
  return (
    <p className="muted">
      Saved <Time value={latest.savedAt} /> by {nameOf(latest)}.{' '}
      <Link to="/$entity/$project/$kind/$object" params={{ entity, project, kind: 'objects', object: latest.objectId }}>
        Versions
      </Link>
    </p>
  )
}

/** What to do with changes to a version that is not the latest any more. */
function Behind({ latest, draft: { begin, discard, save, saving } }: { latest: StoredDashboard | null; draft: DashboardDraft }) {
  return (
    <div role="alert" className="notice">
      {latest === null ? (
        <p>The dashboard was deleted while you changed it. You can save it again.</p>
      ) : (
        <p>
          {nameOf(latest)} saved a newer version <Time value={latest.savedAt} /> while you changed this one. Whatever you choose, it stays
          among the versions.
        </p>
      )}
      <div className="row">
        <button type="button" onClick={() => (latest === null ? discard() : begin(latest))}>
          Discard my changes{latest !== null && ' and show that version'}
        </button>
        <button type="button" disabled={saving.isPending} onClick={() => save(true)}>
          Save mine as the newest
        </button>
      </div>
    </div>
  )
}

/** That another version was saved at the same moment. */
function Beside({ digest, beside }: { digest: string; beside: StoredDashboard }) {
  const { entity, project } = useProject()
  return (
    <p role="alert" className="notice">
      {nameOf(beside)} saved a version at the same moment. Both are kept:{' '}
      <Link
        to="/$entity/$project/$kind/$object"
        params={{ entity, project, kind: 'objects', object: beside.objectId }}
        search={{ version: digest, against: beside.digest }}
      >
        compare them
      </Link>
      .
    </p>
  )
}
