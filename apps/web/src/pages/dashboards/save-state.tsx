import { Link } from '@tanstack/react-router'
import { useProject } from '../../lib/use-project.ts'
import { Failure } from '../../ui/states/failure.tsx'
import { Time, TimeInColumn } from '../../ui/time/time.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { StoredDashboard } from './stored-dashboard.ts'
import type { DashboardDraft } from './use-draft.ts'

const nameOf = ({ savedBy }: StoredDashboard) => savedBy ?? 'Somebody'

/** Who saved a dashboard when, and whether the changes here are saved. */
export function SaveState({ latest, draft }: { latest: StoredDashboard | null; draft: DashboardDraft }) {
  const { isChanged, saving } = draft
  return (
    <span className="flex min-w-0 items-center gap-1.5 text-xs text-fg-3">
      <span role="status" className="empty:hidden">
        {draft.draft !== undefined && (isChanged ? 'Changes not saved' : 'No changes')}
        {draft.draft === undefined && saving.data?.status === 'saved' && 'Dashboard saved'}
      </span>
      {latest && draft.draft === undefined && (
        <span className="truncate">
          Saved <TimeInColumn value={latest.savedAt} /> by {nameOf(latest)}
        </span>
      )}
    </span>
  )
}

/** Problems while the dashboard was saved. */
export function SaveProblems({ latest, draft }: { latest: StoredDashboard | null; draft: DashboardDraft }) {
  const { isBehind, saving } = draft
  return (
    <>
      {isBehind && <Behind latest={latest} draft={draft} />}
      {saving.data?.status === 'saved' && saving.data.beside && <Beside digest={saving.data.digest} beside={saving.data.beside} />}
      <Failure error={saving.error} before="The dashboard was not saved; your changes stay here." />
    </>
  )
}

/** What to do with changes to a version that is not the latest any more. */
function Behind({ latest, draft: { begin, discard, save, saving } }: { latest: StoredDashboard | null; draft: DashboardDraft }) {
  return (
    <div role="alert">
      <Notice
        tone="warning"
        title={
          latest === null ? (
            'The dashboard was deleted'
          ) : (
            <>
              {nameOf(latest)} saved a newer version <Time value={latest.savedAt} />
            </>
          )
        }
        actions={
          <>
            <Button onClick={() => (latest === null ? discard() : begin(latest))}>
              {latest === null ? 'Discard my changes' : 'Show that version'}
            </Button>
            <Button disabled={saving.isPending} onClick={() => save(true)}>
              Save mine
            </Button>
          </>
        }
      >
        {latest === null ? 'Saving yours brings it back.' : 'Both versions are kept, whichever you choose.'}
      </Notice>
    </div>
  )
}

/** That another version was saved at the same moment. */
function Beside({ digest, beside }: { digest: string; beside: StoredDashboard }) {
  const { entity, project } = useProject()
  return (
    <div role="alert">
      <Notice
        tone="warning"
        title={`${nameOf(beside)} saved a version at the same moment`}
        actions={
          <Link
            to="/$entity/$project/$kind/$object"
            params={{ entity, project, kind: 'objects', object: beside.objectId }}
            search={{ version: digest, against: beside.digest }}
            className="font-medium text-accent-text hover:underline"
          >
            Compare
          </Link>
        }
      >
        Both are kept.
      </Notice>
    </div>
  )
}
