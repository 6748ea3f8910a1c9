import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import type { ProjectKey } from '@heddle/core-api/types'
import { Ban, Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { countText } from '../../lib/texts/count-text.ts'
import { client } from '../../lib/server/client.ts'
import { readAgain } from '../../lib/server/read-again.ts'
import { useProject } from '../../lib/use-project.ts'
import { Failure } from '../../ui/states/failure.tsx'
import { MoreButton } from '../../ui/table/more-button.tsx'
import { readableName } from '../../lib/texts/readable-name.ts'
import { ShownOnce } from '../../ui/texts/shown-once.tsx'
import { SentenceCase } from '../../ui/texts/sentence-case.tsx'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { type CreatedKey, NewKey } from './new-key.tsx'
import { MadeByKeys } from './made-by-keys.tsx'
import { keysQuery } from './keys-queries.ts'
import { stateOfKey } from './state-of-key.ts'
import { Button } from '../../ui/button.tsx'
import { useConfirm } from '../../ui/confirm/confirm.tsx'
import { type ListColumn, ListTable } from '../../ui/list-table.tsx'
import { MenuItem } from '../../ui/menu.tsx'
import { RowMenu } from '../../ui/row-menu.tsx'
import { roleText } from './role-text.ts'
import { TimeOrNever } from './time-or-never.tsx'
import { SettingsSection } from './settings-section.tsx'
import { Badge, type Status, StatusText } from '../../ui/badge.tsx'

/** API keys of the project, for its administrators. */
export function Keys() {
  const { id } = useProject()
  const query = useInfiniteQuery(keysQuery(id))
  const keys = useMemo(() => query.data?.pages.flatMap((page) => page.keys), [query.data])
  const [isCreating, setIsCreating] = useState(false)
  const [created, setCreated] = useState<CreatedKey>()
  return (
    <SettingsSection
      title="API keys"
      text="Programs sign in with a key. It is shown once; Heddle stores its hash. Keys with a wider scope than yours are not listed."
      query={query}
      adminsMay="see and create keys"
      otherwise={
        <>
          <code>heddle keys list</code> shows them on the machine of the server.
        </>
      }
      actions={
        <Button variant="primary" icon={Plus} onClick={() => setIsCreating(true)}>
          New key
        </Button>
      }
    >
      {created && (
        <ShownOnce secret={created.secret} onDone={() => setCreated(undefined)}>
          The key <strong>{created.key.name}</strong>
        </ShownOnce>
      )}
      <ShowQuery query={{ ...query, data: keys }} what="the keys of the project">
        {(all) => <ListedKeys keys={all} />}
      </ShowQuery>
      <MoreButton query={query}>Show more keys</MoreButton>
      <MadeByKeys />
      <NewKey open={isCreating} onClose={() => setIsCreating(false)} onCreated={setCreated} />
    </SettingsSection>
  )
}

const reaches: Record<ProjectKey['reach'], string> = {
  project: 'this project',
  projects: 'this project and others',
  entity: 'every project of the entity',
  all: 'every project',
}

const icons: Record<ReturnType<typeof stateOfKey>, Status> = { active: 'ok', expired: 'cancelled', revoked: 'cancelled' }

function ListedKeys({ keys }: { keys: readonly ProjectKey[] }) {
  const { id } = useProject()
  const queries = useQueryClient()
  const revoke = useMutation({
    mutationFn: (wanted: { key_id: string; ends_made: boolean }) => client.projectKeys.revoke({ project_id: id, ...wanted }),
    onSuccess: () => readAgain(queries, keysQuery(id).queryKey),
  })
  const confirm = useConfirm()
  async function ask({ id: key, name, reach }: ProjectKey) {
    const question = `Revoke the key ${name}? Programs that use it will be refused. It gives access to ${reaches[reach]}. This cannot be undone.`
    if (!(await confirm({ text: question, confirm: 'Revoke' }))) return
    const text = 'End the public links, monitors and webhooks that were made with this key as well?'
    const ends_made = await confirm({ text, confirm: 'End them', cancel: 'Keep them' })
    revoke.mutate({ key_id: key, ends_made })
  }
  const menu = (key: ProjectKey) =>
    stateOfKey(key, Date.now()) === 'active' &&
    !key.is_own && (
      <RowMenu of={`the key ${readableName(key.name)}`} disabled={revoke.isPending}>
        <MenuItem danger icon={Ban} onClick={() => void ask(key)}>
          Revoke…
        </MenuItem>
      </RowMenu>
    )
  return (
    <>
      <ListTable
        label="Keys"
        framed
        empty="No project keys yet"
        rows={keys}
        rowId={({ id: key }) => key}
        columns={columns}
        actions={menu}
        minWidth={660}
        rowHeight={52}
      />
      <Failure error={revoke.error} />
      {revoke.data && revoke.data.made.length > 0 && (
        <p role="status">
          {countText(revoke.data.made.length, 'thing that was', 'things that were')} made with the key {revoke.data.name}{' '}
          {revoke.data.made.every(({ is_ended }) => is_ended) ? 'ended with it.' : 'will keep working; they are listed below.'}
        </p>
      )}
    </>
  )
}

const columns: ListColumn<ProjectKey>[] = [
  {
    id: 'key',
    title: 'Name and key',
    cell: ({ name, is_own, prefix, recording }) => (
      <>
        <span className="flex min-w-0 items-center gap-1.5">
          <span className="truncate font-medium" data-tip={name} data-cut="">
            {name}
          </span>{' '}
          {is_own && <Badge>Yours</Badge>} {recording && <Badge>Records chats</Badge>}
        </span>
        <code className="mono block truncate text-fg-3">{prefix}…</code>
      </>
    ),
  },
  { id: 'role', title: 'Role', width: '64px', wraps: true, cell: (key) => <SentenceCase text={roleText(key)} /> },
  { id: 'scope', title: 'Scope', width: '104px', wraps: true, cell: ({ reach }) => <SentenceCase text={reaches[reach]} /> },
  { id: 'used', title: 'Last used', width: '96px', align: 'right', cell: ({ last_used_at }) => <TimeOrNever value={last_used_at} /> },
  { id: 'expires', title: 'Expires', width: '92px', align: 'right', cell: ({ expires_at }) => <TimeOrNever value={expires_at} /> },
  {
    id: 'state',
    title: 'State',
    width: '92px',
    cell: (key) => {
      const state = stateOfKey(key, Date.now())
      return (
        <StatusText status={icons[state]}>
          <SentenceCase text={state} />
        </StatusText>
      )
    },
  },
]
