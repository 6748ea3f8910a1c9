import type { Webhook } from '@heddle/core-api'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { client } from '../../app/client.ts'
import { readAgain } from '../../app/read-again.ts'
import { useProject } from '../../app/use-project.ts'
import { Failure } from '../../components/failure.tsx'
import { readableName } from '../../components/readable-name.ts'
import { Time } from '../../components/time.tsx'
import { answerOf, stateOf, textOfEvent } from './webhook-texts.ts'

/** Webhooks with their last attempts, to test and to delete. */
export function ListedWebhooks({ webhooks }: { webhooks: readonly Webhook[] }) {
  const { id: project_id } = useProject()
  const queries = useQueryClient()
  const onSettled = () => readAgain(queries, ['webhooks', project_id])
  const send = useMutation({ mutationFn: ({ id: webhook_id }: Webhook) => client.webhooks.test({ project_id, webhook_id }), onSettled })
  const remove = useMutation({
    mutationFn: ({ id: webhook_id }: Webhook) => client.webhooks.delete({ project_id, webhook_id }),
    onSettled,
  })
  function ask(webhook: Webhook) {
    const waiting = webhook.waiting === 0 ? '' : ` Messages that wait will not be sent: ${webhook.waiting}.`
    if (window.confirm(`Delete the webhook ${webhook.name}?${waiting} Its secret cannot be shown again.`)) remove.mutate(webhook)
  }
  const isBusy = send.isPending || remove.isPending
  return (
    <>
      <div className="scroll" tabIndex={0} role="region" aria-label="Webhooks of the project">
        <table>
          <thead>
            <tr>
              <th scope="col">Webhook</th>
              <th scope="col">Sent when</th>
              <th scope="col">State</th>
              <th scope="col">Last attempt</th>
              <th scope="col">Change</th>
            </tr>
          </thead>
          <tbody>
            {webhooks.map((webhook) => (
              <tr key={webhook.id}>
                <td>
                  {webhook.name}
                  <br />
                  <span className="muted">{webhook.url}</span>
                </td>
                <td>{webhook.events.map((event) => textOfEvent[event]).join('; ')}</td>
                <td>
                  <State webhook={webhook} />
                </td>
                <td>
                  <LastAttempt attempt={webhook.last_attempt} />
                </td>
                <td>
                  <button
                    type="button"
                    aria-label={`Send a test to ${readableName(webhook.name)}`}
                    disabled={isBusy}
                    onClick={() => send.mutate(webhook)}
                  >
                    Test
                  </button>{' '}
                  <button
                    type="button"
                    aria-label={`Delete the webhook ${readableName(webhook.name)}`}
                    disabled={isBusy}
                    onClick={() => ask(webhook)}
                  >
                    Delete
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {send.isPending && <p role="status">Sending a test to {send.variables.name}…</p>}
      {send.data && (
        <p role="status" className={send.data.error === null ? 'notice' : 'problem'}>
          Test of {send.variables?.name}: {answerOf(send.data)}.
        </p>
      )}
      <Failure error={send.error} />
      <Failure error={remove.error} />
    </>
  )
}

function State({ webhook }: { webhook: Webhook }) {
  const since = webhook.disabled_at ?? webhook.failing_since
  return (
    <>
      {stateOf(webhook)}
      {since !== null && (
        <>
          {' '}
          since <Time value={since} />
        </>
      )}
      {webhook.waiting > 0 && `, ${webhook.waiting} waiting`}
      {webhook.disabled_at !== null && '. A test that is accepted enables it.'}
    </>
  )
}

function LastAttempt({ attempt }: { attempt: Webhook['last_attempt'] }) {
  if (attempt === null) return 'none'
  return (
    <>
      <Time value={attempt.attempted_at} />, {attempt.event}: {answerOf(attempt)}
    </>
  )
}
