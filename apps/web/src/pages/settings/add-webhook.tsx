import type { WebhookEvent } from '@heddle/core-api/types'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { client } from '../../lib/server/client.ts'
import { readAgain } from '../../lib/server/read-again.ts'
import { useProject } from '../../lib/use-project.ts'
import { Failure } from '../../ui/states/failure.tsx'
import { ShownOnce } from '../../ui/texts/shown-once.tsx'
import { webhooksQuery } from './webhooks-query.ts'
import { textOfEvent } from './webhook-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { TextField } from '../../ui/text-field.tsx'

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
    // Not kept in a cache: the secret is shown once, and discarded with this page.
    gcTime: 0,
    mutationFn: () => client.webhooks.create({ project_id: id, name: name.trim(), url: url.trim(), events: [...events] }),
    onSuccess() {
      setName('')
      setUrl('')
      return readAgain(queries, webhooksQuery(id).queryKey)
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
      <Card title="New webhook">
        <form className="grid items-start gap-4 md:grid-cols-2" onSubmit={submit}>
          <TextField label="Name" help="What it is for" maxLength={128} autoComplete="off" value={name} onChange={setName} />
          <TextField
            label="URL"
            {...(!isUrl && { error: 'The URL must start with https:// or http://.' })}
            type="url"
            maxLength={2000}
            autoComplete="off"
            placeholder="https://example.com/hook"
            value={url}
            onChange={setUrl}
          />
          <fieldset className="flex flex-col md:col-span-2">
            <legend className="mb-1 text-xs font-medium text-fg-2">Send when</legend>
            {allEvents.map((event) => (
              <Checkbox key={event} label={textOfEvent[event]} checked={events.includes(event)} onChange={(isOn) => choose(event, isOn)} />
            ))}
          </fieldset>
          <div className="flex justify-end md:col-span-2">
            <Button type="submit" variant="primary" size="md" loading={add.isPending} disabled={!isComplete}>
              Create webhook
            </Button>
          </div>
        </form>
        <Failure error={add.error} />
      </Card>
      {add.data && (
        <ShownOnce secret={add.data.secret} onDone={() => add.reset()}>
          The secret with which messages to <strong>{add.data.webhook.name}</strong> are signed
        </ShownOnce>
      )}
    </>
  )
}
