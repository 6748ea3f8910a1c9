import type { Webhook } from '@heddle/core-api/types'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Send, Trash2 } from 'lucide-react'
import { client } from '../../lib/server/client.ts'
import { readAgain } from '../../lib/server/read-again.ts'
import { useProject } from '../../lib/use-project.ts'
import { Failure } from '../../ui/states/failure.tsx'
import { readableName } from '../../lib/texts/readable-name.ts'
import { SentenceCase } from '../../ui/texts/sentence-case.tsx'
import { Time, TimeInColumn } from '../../ui/time/time.tsx'
import { webhooksQuery } from './webhooks-query.ts'
import { answerOf, stateOf, textOfEvent } from './webhook-texts.ts'
import { useConfirm } from '../../ui/confirm/confirm.tsx'
import { type Status, StatusText } from '../../ui/badge.tsx'
import { Notice } from '../../ui/notice.tsx'
import { type ListColumn, ListTable } from '../../ui/list-table.tsx'
import { MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { RowMenu } from '../../ui/row-menu.tsx'
import { textColumn } from '../../ui/table/column-kinds.tsx'

/** Webhooks with their last attempts, to test and to delete. */
export function ListedWebhooks({ webhooks }: { webhooks: readonly Webhook[] }) {
  const { id: project_id } = useProject()
  const queries = useQueryClient()
  const onSettled = () => readAgain(queries, webhooksQuery(project_id).queryKey)
  const send = useMutation({ mutationFn: ({ id: webhook_id }: Webhook) => client.webhooks.test({ project_id, webhook_id }), onSettled })
  const remove = useMutation({
    mutationFn: ({ id: webhook_id }: Webhook) => client.webhooks.delete({ project_id, webhook_id }),
    onSettled,
  })
  const confirm = useConfirm()
  async function ask(webhook: Webhook) {
    const waiting = webhook.waiting === 0 ? '' : ` Messages that wait will not be sent: ${webhook.waiting}.`
    const text = `Delete the webhook ${webhook.name}?${waiting} Its secret cannot be shown again.`
    if (await confirm({ text, confirm: 'Delete' })) remove.mutate(webhook)
  }
  const isBusy = send.isPending || remove.isPending
  const menu = (webhook: Webhook) => (
    <RowMenu of={`the webhook ${readableName(webhook.name)}`} disabled={isBusy}>
      <MenuItem icon={Send} onClick={() => send.mutate(webhook)}>
        Send a test
      </MenuItem>
      <MenuSeparator />
      <MenuItem danger icon={Trash2} onClick={() => void ask(webhook)}>
        Delete…
      </MenuItem>
    </RowMenu>
  )
  return (
    <>
      <ListTable
        label="Webhooks of the project"
        framed
        empty="Nothing is sent yet."
        rows={webhooks}
        rowId={({ id }) => id}
        columns={columns}
        actions={menu}
        minWidth={760}
        rowHeight={52}
      />
      {send.isPending && <p role="status">Sending a test to {send.variables.name}…</p>}
      {send.data && (
        <Notice tone={send.data.error === null ? 'ok' : 'error'} title={`Test of ${send.variables?.name}: ${answerOf(send.data)}.`} />
      )}
      <Failure error={send.error} />
      <Failure error={remove.error} />
    </>
  )
}

const columns: ListColumn<Webhook>[] = [
  {
    id: 'webhook',
    title: 'Webhook',
    cell: ({ name, url }) => (
      <>
        <span className="block truncate font-medium" data-tip={name} data-cut="">
          {name}
        </span>
        <span className="block truncate text-xs text-fg-3" data-tip={url} data-cut="">
          {url}
        </span>
      </>
    ),
  },
  textColumn('events', 'Sent when', '168px', ({ events }) => events.map((event) => textOfEvent[event]).join('; '), { wraps: true }),
  { id: 'state', title: 'State', width: '152px', wraps: true, cell: (webhook) => <State webhook={webhook} /> },
  {
    id: 'last',
    title: 'Last attempt',
    width: '184px',
    wraps: true,
    cell: ({ last_attempt }) => last_attempt && <LastAttempt attempt={last_attempt} />,
  },
]

const icons: Record<ReturnType<typeof stateOf>, Status> = {
  disabled: 'cancelled',
  failing: 'error',
  'not used yet': 'queued',
  working: 'ok',
}

function State({ webhook }: { webhook: Webhook }) {
  const since = webhook.disabled_at ?? webhook.failing_since
  const state = stateOf(webhook)
  return (
    <>
      <StatusText status={icons[state]}>
        <SentenceCase text={state} />
      </StatusText>{' '}
      {since !== null && (
        <span className="block text-xs text-fg-3">
          since <Time value={since} />
          {webhook.waiting > 0 && `, ${webhook.waiting} waiting`}
          {webhook.disabled_at !== null && '. A test that is accepted enables it.'}
        </span>
      )}
    </>
  )
}

function LastAttempt({ attempt }: { attempt: NonNullable<Webhook['last_attempt']> }) {
  return (
    <>
      <TimeInColumn value={attempt.attempted_at} />
      <span className="block text-xs text-fg-3">
        {attempt.event}: {answerOf(attempt)}
      </span>
    </>
  )
}
