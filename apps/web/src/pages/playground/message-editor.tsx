import { type DraftMessage, type Role, roles } from './draft/draft.ts'

interface Properties {
  messages: readonly DraftMessage[]
  onChange: (messages: readonly DraftMessage[]) => void
}

/** The messages of the conversation, each to be changed, moved up or removed. */
export function MessageEditor({ messages, onChange }: Properties) {
  const change = (at: number, message: DraftMessage) => onChange(messages.with(at, message))
  const last = messages.at(-1)?.role
  return (
    <section aria-labelledby="messages">
      <h2 id="messages">Messages</h2>
      {messages.length === 0 && <p className="muted">No messages yet. A conversation usually begins with a user message.</p>}
      {messages.map((message, at) => (
        // A message is its place.
        <MessageFields
          key={at}
          at={at}
          message={message}
          onChange={(next) => change(at, next)}
          onUp={() => onChange(messages.with(at - 1, message).with(at, messages[at - 1] ?? message))}
          onRemove={() => onChange(messages.filter((_, place) => place !== at))}
        />
      ))}
      <button
        type="button"
        onClick={() => onChange([...messages, { role: last === undefined || last === 'assistant' ? 'user' : 'assistant', content: '' }])}
      >
        Add a message
      </button>
    </section>
  )
}

interface FieldsProperties {
  at: number
  message: DraftMessage
  onChange: (message: DraftMessage) => void
  onUp: () => void
  onRemove: () => void
}

function MessageFields({ at, message, onChange, onUp, onRemove }: FieldsProperties) {
  const name = `Message ${at + 1}`
  const { role, content, isParts, toolCalls, toolCallId } = message
  return (
    <fieldset className="playground-message">
      <legend>{name}</legend>
      <div className="row">
        <select aria-label={`${name}, role`} value={role} onChange={({ target }) => onChange({ ...message, role: target.value as Role })}>
          {roles.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
        {role === 'assistant' && toolCalls === undefined && (
          <button type="button" onClick={() => onChange({ ...message, toolCalls: '' })}>
            Add tool calls
          </button>
        )}
        <span className="grow" />
        {at > 0 && (
          <button type="button" aria-label={`Move message ${at + 1} up`} onClick={onUp}>
            Up
          </button>
        )}
        <button type="button" aria-label={`Remove message ${at + 1}`} onClick={onRemove}>
          Remove
        </button>
      </div>
      {isParts && <p className="muted">Some parts of the content are not text, so it is shown as JSON.</p>}
      <textarea
        aria-label={`${name}, ${isParts ? 'content as JSON' : 'text'}`}
        rows={Math.min(12, Math.max(2, content.split('\n', 12).length))}
        value={content}
        onChange={({ target }) => onChange({ ...message, content: target.value })}
      />
      {role === 'assistant' && toolCalls !== undefined && (
        <label>
          Tool calls, a JSON list
          <textarea rows={4} value={toolCalls} onChange={({ target }) => onChange({ ...message, toolCalls: target.value })} />
        </label>
      )}
      {role === 'tool' && (
        <label>
          Id of the tool call that it answers
          <input value={toolCallId ?? ''} onChange={({ target }) => onChange({ ...message, toolCallId: target.value })} />
        </label>
      )}
    </fieldset>
  )
}
