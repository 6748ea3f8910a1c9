import type { WebhookEvent } from '@heddle/core-api'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { client } from '../../app/client.ts'
import { readAgain } from '../../app/read-again.ts'
import { useProject } from '../../app/use-project.ts'
import { Failure } from '../../components/failure.tsx'
import { ShownOnce } from '../../components/shown-once.tsx'
import { textOfEvent } from './webhook-texts.ts'

const allEvents = Object.keys(textOfEvent) as WebhookEvent[]

/** Makes a webhook for the project, and shows its secret once. */
export function AddWebhook() {
  const { id } = useProject()
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [url, setUrl] = useState('')
  const [events, setEvents] = useState<readonly WebhookEvent[]>(['evaluation.finished'])
  const isUrl = url.trim() === '' || /^https?:\/\/./i.test(url.trim())
  const add = useMutation({
    // What is made is not kept in a cache: the secret is shown once, and gone with this page.
    gcTime: 0,
    mutationFn: () => client.webhooks.create({ project_id: id, name: name.trim(), url: url.trim(), events: [...events] }),
    onSuccess() {
      setName('')
      setUrl('')
      return readAgain(queries, ['webhooks', id])
    },
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    add.mutate()
  }
  const choose = (event: WebhookEvent, isChosen: boolean) =>
    setEvents(allEvents.filter((each) => (each === event ? isChosen : events.includes(each))))
  const isComplete = name.trim() !== '' && url.trim() !== '' && isUrl && events.length > 0
  return (
    <>
      <h3>Create a webhook for this project</h3>
      <form onSubmit={submit}>
        <label htmlFor="webhook-name">What the webhook is for</label>
        <input id="webhook-name" maxLength={128} autoComplete="off" value={name} onChange={({ target }) => setName(target.value)} />
        <label htmlFor="webhook-url">URL</label>
        <input
          id="webhook-url"
          type="url"
          maxLength={2000}
          autoComplete="off"
          placeholder="https://example.com/hook"
          aria-invalid={!isUrl}
          value={url}
          onChange={({ target }) => setUrl(target.value)}
        />
        {!isUrl && <p className="problem">The URL must start with https:// or http://.</p>}
        <fieldset>
          <legend>Send when</legend>
          {allEvents.map((event) => (
            <div key={event}>
              <label>
                <input type="checkbox" checked={events.includes(event)} onChange={({ target }) => choose(event, target.checked)} />{' '}
                {textOfEvent[event]} (<code>{event}</code>)
              </label>
            </div>
          ))}
        </fieldset>
        <button type="submit" disabled={!isComplete || add.isPending}>
          Create webhook
        </button>
        <Failure error={add.error} />
      </form>
      {add.data && (
        <ShownOnce secret={add.data.secret} onDone={() => add.reset()}>
          The secret with which messages to <strong>{add.data.webhook.name}</strong> are signed
        </ShownOnce>
      )}
    </>
  )
}
