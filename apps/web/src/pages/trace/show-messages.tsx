import { LongText } from '../../components/long-text.tsx'
import { FormattedText } from '../../components/markdown/formatted-text.tsx'
import type { Message } from './read-messages.ts'

/** Messages of a conversation, in their order; what a model thought is folded. */
export function ShowMessages({ messages, label = '' }: { messages: readonly Message[]; label?: string }) {
  return messages.map(({ role, text, thinking, tool }, at) => {
    const name = `${label}Message ${at + 1}`
    return (
      // Messages keep their places in a call.
      <section key={String(at)} aria-label={name}>
        <h3>{tool === undefined ? role : `${role}, result of ${tool}`}</h3>
        {thinking !== undefined && (
          <details>
            <summary>Thinking</summary>
            <LongText label={`${name}, thinking`} text={thinking} />
          </details>
        )}
        {text !== '' && <FormattedText label={`${name}, ${role}`} text={text} />}
      </section>
    )
  })
}
