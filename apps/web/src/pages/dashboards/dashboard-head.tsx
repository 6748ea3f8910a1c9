import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { History, LayoutGrid, Trash2 } from 'lucide-react'
import { MoreMenu } from '../../ui/more-menu.tsx'
import type { TimeRange } from '../../lib/time/time-range.ts'
import { useProject } from '../../lib/use-project.ts'
import { ChooseRange } from '../../ui/time/choose-range.tsx'
import { useConfirm } from '../../ui/confirm/confirm.tsx'
import { readableName } from '../../lib/texts/readable-name.ts'
import { toastUndo } from '../../ui/states/undo-toast.ts'
import { Button } from '../../ui/button.tsx'
import { MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { PageHead } from '../../ui/page.tsx'
import { toast } from '../../ui/toast.tsx'
import { deleteDashboard } from './dashboard-queries.ts'
import type { StoredDashboard } from './stored-dashboard.ts'
import type { DashboardDraft } from './use-draft.ts'

const route = getRouteApi('/$entity/$project/dashboards/$dashboard')

interface Properties {
  title: string
  /** Null where the dashboard was deleted. */
  latest: StoredDashboard | null
  draft: DashboardDraft
  range: TimeRange
}

/** The time of all charts, further actions, and where changes begin and end. */
export function DashboardHead({ title, latest, draft, range }: Properties) {
  const project = useProject()
  const navigate = route.useNavigate()
  const { isChanged, isBehind, saving } = draft
  const confirm = useConfirm()
  async function leave() {
    if (!isChanged || (await confirm({ text: 'Discard your changes to the dashboard?', confirm: 'Discard' }))) draft.discard()
  }
  return (
    <PageHead
      trail={[
        <Link key="dashboards" to="/$entity/$project/dashboards" params={project}>
          Dashboards
        </Link>,
      ]}
      title={title}
      actions={
        <>
          <ChooseRange
            range={range}
            onChange={(next) => void navigate({ search: (before) => ({ ...before, range: next }), ignoreBlocker: true })}
          />
          {latest !== null && <FurtherActions latest={latest} />}
          {draft.draft !== undefined && (
            <>
              <Button disabled={saving.isPending} onClick={() => void leave()}>
                {isChanged ? 'Discard changes' : 'Cancel'}
              </Button>
              <Button variant="primary" loading={saving.isPending} disabled={!isChanged || isBehind} onClick={() => draft.save(false)}>
                Save
              </Button>
            </>
          )}
          {draft.draft === undefined && latest !== null && !latest.isOtherForm && (
            <Button variant="primary" icon={LayoutGrid} onClick={() => draft.begin(latest)}>
              Edit
            </Button>
          )}
        </>
      }
    />
  )
}

function FurtherActions({ latest: { objectId, name } }: { latest: StoredDashboard }) {
  const project = useProject()
  const navigate = useNavigate()
  const remove = useDeleteDashboard()
  async function leaveOnceDeleted() {
    if (await remove({ objectId, name })) await navigate({ to: '/$entity/$project/dashboards', params: project, ignoreBlocker: true })
  }
  return (
    <MoreMenu>
      <MenuItem
        icon={History}
        onClick={() => void navigate({ to: '/$entity/$project/$kind/$object', params: { ...project, kind: 'objects', object: objectId } })}
      >
        Versions
      </MenuItem>
      <MenuSeparator />
      <MenuItem danger icon={Trash2} onClick={() => void leaveOnceDeleted()}>
        Delete dashboard…
      </MenuItem>
    </MoreMenu>
  )
}

/** After confirmation, deletes a dashboard for all members of the project. Resolves to whether it was deleted. */
export function useDeleteDashboard() {
  const { id } = useProject()
  const queries = useQueryClient()
  const confirm = useConfirm()
  const remove = useMutation({ mutationFn: (objectId: string) => deleteDashboard(queries, id, objectId) })
  return async ({ objectId, name }: Pick<StoredDashboard, 'objectId' | 'name'>): Promise<boolean> => {
    if (!(await confirm({ text: `Delete the dashboard "${name}" for all members of this project?`, confirm: 'Delete' }))) return false
    try {
      const undo = await remove.mutateAsync(objectId)
      toastUndo({ title: 'Dashboard deleted', text: readableName(name), undo, problem: 'The dashboard was not restored' })
      return true
    } catch (error) {
      toast({ tone: 'error', title: 'The dashboard was not deleted', error })
      return false
    }
  }
}
