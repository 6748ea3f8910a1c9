import { JsonNumber } from '@heddle/json/exact'
import { Brain } from 'lucide-react'
import { Chat, ChatMessage, ToolCall } from '../ui/chat.tsx'
import { Clamp } from '../ui/clamp.tsx'
import { CodeBlock } from '../ui/code.tsx'
import { Diff, DiffLines, type DiffLine } from '../ui/diff.tsx'
import { Fold } from '../ui/fold.tsx'
import { JsonView } from '../ui/json-view.tsx'
import { Section } from './section.tsx'

const value = {
  messages: [{ role: 'user', content: 'I was charged twice for order #48213.' }],
  exact: new JsonNumber('12345678901234567890'),
  temperature: 0.2,
  stream: false,
  stop: null,
  many: Array.from({ length: 250 }, (_, at) => at),
  long: 'A text of many words. '.repeat(200),
}
const lines: DiffLine[] = [
  { kind: 'same', parts: ['You are the support agent of Fjord Outdoor.'] },
  { kind: 'remove', parts: ['Promise a refund ', { mark: 'at once' }, '.'] },
  { kind: 'add', parts: ['Promise a refund ', { mark: 'up to the order total' }, '.'] },
]
const code =
  "import { init } from '@heddle/agent-instrumentation'\n\n// Sends traces\nconst heddle = await init({ project: 'fjord/support' })"

export function Texts() {
  return (
    <>
      <Section title="Chat">
        <div className="w-full max-w-190">
          <Chat label="Conversation">
            <ChatMessage role="system" label="Message 1, system">
              <p className="text-fg-2">Be brief and warm. Use tools for facts.</p>
            </ChatMessage>
            <ChatMessage role="user" label="Message 2, user">
              <p className="prose">Can I get the second charge back?</p>
            </ChatMessage>
            <ChatMessage
              role="assistant"
              label="Message 3, assistant"
              name="planner"
              meta={<span className="num text-xs text-fg-3">172 tokens</span>}
            >
              <Fold icon={Brain} title="Thinking">
                <p>The order has two charges.</p>
              </Fold>
              <ToolCall
                name="lookup_order"
                args={{ order_id: '48213' }}
                hasResult={false}
                error="TimeoutError: no answer within 1,200 ms"
              />
              <ToolCall name="lookup_order" args={{ order_id: '48213' }} hasResult result={{ status: 'delivered', charges: 2 }} />
            </ChatMessage>
            <ChatMessage role="critic" label="Message 4, critic">
              <p className="prose">A role of its own.</p>
            </ChatMessage>
          </Chat>
        </div>
      </Section>
      <Section title="JSON">
        <div className="w-full">
          <JsonView label="Input" value={value} />
        </div>
      </Section>
      <Section title="Code">
        <CodeBlock label="code" code={code} className="w-full" />
      </Section>
      <Section title="Differences">
        <div className="flex w-full flex-col gap-3">
          <Diff label="Changes of the prompt">
            <DiffLines lines={lines} from={{ before: 1, after: 1 }} />
          </Diff>
          <Diff label="Changes without numbers">
            <DiffLines lines={lines} />
          </Diff>
        </div>
      </Section>
      <Section title="Clamped texts">
        {([2, 3] as const).map((count) => (
          <div key={count} className="w-72">
            <Clamp lines={count}>{value.long}</Clamp>
          </div>
        ))}
        <div className="w-72">
          <Clamp lines={2}>A text that fits.</Clamp>
        </div>
      </Section>
    </>
  )
}
