import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Ellipsis, Plus, Trash2, Upload } from 'lucide-react'
import { useState } from 'react'
import { client } from '../../../lib/server/client.ts'
import { readAgain } from '../../../lib/server/read-again.ts'
import { useProject } from '../../../lib/use-project.ts'
import { useConfirm } from '../../../ui/confirm/confirm.tsx'
import { Failure } from '../../../ui/states/failure.tsx'
import { explain } from '../../../ui/states/query-problem.tsx'
import { RequestId } from '../../../ui/states/request-id.tsx'
import { toastUndo } from '../../../ui/states/undo-toast.ts'
import { readableName } from '../../../lib/texts/readable-name.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Menu, MenuItem, MenuSection } from '../../../ui/menu.tsx'
import { Notice } from '../../../ui/notice.tsx'
import type { CallsSearch } from '../../../features/calls/calls-search.ts'
import { type SavedView, viewOf } from './saved-view.ts'
import type { SharedView } from './shared-view.ts'
import { maxViews, sharedViewsQuery, shareView, storeView } from './shared-views-queries.ts'
import { ViewTabs } from './view-tabs.tsx'
import { readViews, writeViews } from './views-of-browser.ts'
import { lazyDialog } from '../../../ui/lazy-part.tsx'

const SaveViewDialog = lazyDialog(() => import('./save-view-dialog.tsx').then(({ SaveViewDialog }) => SaveViewDialog))

interface Properties {
  search: CallsSearch
  /** The list itself says why it was not read. */
  hasProblem: boolean
  /** Whether the rows of the list have loaded. */
  hasRows: boolean
}

/** Opens a view of the list by its name, and saves the current one for all members of the project. */
export function SavedViews({ search, hasProblem, hasRows }: Properties) {
  const { id } = useProject()
  const queries = useQueryClient()
  const { data, error, isLoading } = useQuery(sharedViewsQuery(id))
  const confirm = useConfirm()
  const [own, setOwn] = useState(() => readViews(window.localStorage, id))
  const [isSaving, setIsSaving] = useState(false)
  const mayReplace = ({ name, savedBy }: SharedView) => {
    const by = savedBy === null ? '' : `, which ${savedBy} saved,`
    return confirm({ text: `Replace the view "${name}"${by} for all members of this project?`, confirm: 'Replace' })
  }
  const share = useMutation({
    mutationFn: (view: SavedView) => shareView(queries, { project_id: id, view, mayReplace }),
    // A shared view is removed from the browser immediately, not after the list was read: the page may be left in between.
    onSuccess: () => void readAgain(queries, sharedViewsQuery(id).queryKey),
  })
  const remove = useMutation({
    mutationFn: ({ objectId: object_id }: SharedView) => client.objects.delete({ project_id: id, object_id }),
    // It leaves the tabs at once, and comes back with the list that is read again where it was refused.
    onMutate: ({ objectId }) =>
      queries.setQueryData(
        sharedViewsQuery(id).queryKey,
        (before) => before && { ...before, views: before.views.filter((one) => one.objectId !== objectId) },
      ),
    onSuccess: (_, view) =>
      toastUndo({
        title: 'View removed',
        text: readableName(view.name),
        undo: () => storeView(id, view.objectId, view).then(() => readAgain(queries, sharedViewsQuery(id).queryKey)),
        problem: 'The view was not restored',
      }),
    onSettled: () => readAgain(queries, sharedViewsQuery(id).queryKey),
  })

  function keep(views: SavedView[]) {
    writeViews(window.localStorage, id, views)
    setOwn(views)
  }
  const forget = (view: SavedView) => keep(readViews(window.localStorage, id).filter((one) => !isSame(one, view)))
  function forgetUnlessUndone(view: SavedView) {
    forget(view)
    toastUndo({
      title: 'View removed',
      text: readableName(view.name),
      undo: async () => keep([...readViews(window.localStorage, id), view]),
      problem: 'The view was not restored',
    })
  }
  const move = (view: SavedView) =>
    share.mutateAsync(view).then(
      (isShared) => isShared && forget(view),
      () => undefined,
    )

  const shared = data?.views ?? []
  return (
    <>
      <ViewTabs
        shared={shared}
        own={own}
        isBusy={isLoading}
        canCount={hasRows}
        actions={
          <>
            {(shared.length > 0 || own.length > 0) && (
              <Menu label="Saved views" trigger={<IconButton label="Manage saved views" icon={Ellipsis} />}>
                {shared.map((view) => (
                  <MenuItem key={view.objectId} icon={Trash2} onClick={() => remove.mutate(view)}>
                    {`Remove the view ${readableName(view.name)}`}
                  </MenuItem>
                ))}
                {own.length > 0 && (
                  <MenuSection label="Only in this browser">
                    {own.map((view, at) => (
                      <MenuItem key={`share ${at} ${view.name}`} icon={Upload} onClick={() => void move(view)}>
                        {`Share the view ${readableName(view.name)}`}
                      </MenuItem>
                    ))}
                    {own.map((view, at) => (
                      <MenuItem key={`remove ${at} ${view.name}`} icon={Trash2} onClick={() => forgetUnlessUndone(view)}>
                        {`Remove the view ${readableName(view.name)} from this browser`}
                      </MenuItem>
                    ))}
                  </MenuSection>
                )}
              </Menu>
            )}
            <Button variant="ghost" icon={Plus} onClick={() => setIsSaving(true)}>
              Save view
            </Button>
          </>
        }
      />
      {isSaving && (
        <SaveViewDialog
          isSaving={share.isPending}
          error={share.error}
          onSave={(name) => share.mutateAsync({ name, search: viewOf(search) })}
          onClose={() => setIsSaving(false)}
        />
      )}
      <ViewNotices error={hasProblem ? null : error} others={data?.others ?? 0} hasMore={data?.hasMore === true} />
      <Failure error={remove.error} before="The view was not removed." />
    </>
  )
}

const isSame = (one: SavedView, other: SavedView) => JSON.stringify(one) === JSON.stringify(other)

function ViewNotices({ error, others, hasMore }: { error: unknown; others: number; hasMore: boolean }) {
  if (!error && others === 0 && !hasMore) return null
  return (
    <div className="flex flex-col gap-2 px-4 pt-3 text-xs text-fg-3">
      {Boolean(error) && (
        <Notice tone="error" title="The saved views were not read">
          {explain(error)}
          <RequestId error={error} />
        </Notice>
      )}
      {others > 0 && (
        <p>
          {others === 1
            ? 'One more view was saved by another program, and opens only there.'
            : `${others} more views were saved by other programs, and open only there.`}
        </p>
      )}
      {hasMore && <p>{`These are the newest ${maxViews} saved views. There are more.`}</p>}
    </div>
  )
}
