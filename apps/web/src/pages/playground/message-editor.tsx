import { ArrowUp, Plus, Wrench, X } from 'lucide-react'
import { Badge } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Field, Textarea } from '../../ui/field.tsx'
import { MarkedTextarea } from '../../ui/marked-textarea.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { Select } from '../../ui/select.tsx'
import { type DraftMessage, type Role, roles } from '../../features/playground/draft/draft-message.ts'
import { piecesOfDraft } from '../../features/playground/draft/variables.ts'
import { Pieces } from '../../features/playground/pieces.tsx'
import { isSame } from '../../features/playground/draft/draft.ts'

interface Properties {
  messages: readonly DraftMessage[]
  /** Messages of the first variant, if this is another: differences are marked. */
  compared: readonly DraftMessage[] | undefined
  onChange: (messages: readonly DraftMessage[]) => void
}

/** The messages of a variant, each to be changed, moved up or removed. */
export function MessageEditor({ messages, compared, onChange }: Properties) {
  const change = (at: number, message: DraftMessage) => onChange(messages.with(at, message))
  const last = messages.at(-1)?.role
  return (
    <>
      {messages.map((message, at) => (
        <MessageFields
          // Messages are identified by index.
          key={String(at)}
          at={at}
          message={message}
          isChanged={compared !== undefined && !isSame(message, compared[at])}
          onChange={(next) => change(at, next)}
          onUp={() => onChange(messages.with(at - 1, message).with(at, messages[at - 1] ?? message))}
          onRemove={() => onChange(messages.filter((_, place) => place !== at))}
        />
      ))}
      <Button
        variant="ghost"
        icon={Plus}
        className="self-start"
        onClick={() => onChange([...messages, { role: last === undefined || last === 'assistant' ? 'user' : 'assistant', content: '' }])}
      >
        Add message
      </Button>
    </>
  )
}

interface FieldsProperties {
  at: number
  message: DraftMessage
  isChanged: boolean
  onChange: (message: DraftMessage) => void
  onUp: () => void
  onRemove: () => void
}

/** Marks in a longer text would make typing slow. */
const maxMarked = 20_000

const roleNames: Readonly<Record<Role, string>> = {
  system: 'System',
  developer: 'Developer',
  user: 'User',
  assistant: 'Assistant',
  tool: 'Tool',
}
const roleChoices = roles.map((value) => ({ value, label: roleNames[value] }))

function MessageFields({ at, message, isChanged, onChange, onUp, onRemove }: FieldsProperties) {
  const name = `Message ${at + 1}`
  const { role, content, isParts, toolCalls, toolCallId } = message
  return (
    <div role="group" aria-label={name} className="flex flex-col gap-2">
      <div className="-mb-1 flex items-center gap-1">
        <Select
          label={`${name}, role`}
          hideLabel
          choices={roleChoices}
          value={role}
          onChange={(value) => onChange({ ...message, role: value as Role })}
          className="-ml-2 border-transparent! bg-transparent! text-xs text-fg-2 shadow-none!"
        />
        {isParts && <Badge>JSON</Badge>}
        <span className="grow" />
        {isChanged && <Badge tone="accent">Changed</Badge>}
        {role === 'assistant' && toolCalls === undefined && (
          <IconButton label="Add tool calls" icon={Wrench} onClick={() => onChange({ ...message, toolCalls: '' })} />
        )}
        {at > 0 && <IconButton label={`Move message ${at + 1} up`} icon={ArrowUp} onClick={onUp} />}
        <IconButton label={`Remove message ${at + 1}`} icon={X} onClick={onRemove} />
      </div>
      <MarkedTextarea
        aria-label={`${name}, ${isParts ? 'content as JSON' : 'text'}`}
        placeholder={isParts ? undefined : `Write a message, with {{variables}} where it differs`}
        marked={isParts || content.length > maxMarked ? content : <Pieces pieces={piecesOfDraft(content)} marksOnly />}
        value={content}
        onChange={({ target }) => onChange({ ...message, content: target.value })}
      />
      {role === 'assistant' && toolCalls !== undefined && (
        <Field label="Tool calls, a JSON list">
          {(ids) => (
            <Textarea {...ids} rows={4} value={toolCalls} onChange={({ target }) => onChange({ ...message, toolCalls: target.value })} />
          )}
        </Field>
      )}
      {role === 'tool' && (
        <TextField label="Tool call ID" value={toolCallId ?? ''} onChange={(next) => onChange({ ...message, toolCallId: next })} />
      )}
    </div>
  )
}
