import { useQuery } from '@tanstack/react-query'
import { ArrowUp, CircleStop, MessageSquare, Plus, X } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { formatDuration } from '../../lib/time/duration.ts'
import { LongText } from '../../ui/texts/long-text.tsx'
import { cx } from '../../lib/cx.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Chat, ChatMessage, ToolCall } from '../../ui/chat.tsx'
import { Checkbox, Slider, Textarea } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import { askModel, type Said } from './ask-model.ts'
import { lookOfPane, maxPanes, type ModelChoice } from './model-choice.ts'
import { namesOfTools, trainedToolsQuery } from './trained-tools.ts'
import { parseExactJson } from '@heddle/json/exact'

const maxTokens = 512

/** A turn of a conversation. An answer of a model includes its latency, once it has ended. */
type Turn = { role: 'user'; content: string } | ({ role: 'assistant'; ms?: number } & Said)

interface Pane {
  /** The model's name in requests. */
  model: string
  turns: readonly Turn[]
  problem?: string
}

const nothingSaid: Said = { text: '', toolCalls: [], content: '' }

interface Properties {
  modelId: string
  /** The newest checkpoint first, the base model last. */
  choices: readonly ModelChoice[]
  /** Called with the models of the panes, in their order. */
  onModels: (models: readonly string[]) => void
}

/** A conversation with several checkpoints of a model: all receive every message, and answer next to each other. */
export function CheckpointChat({ modelId, choices, onModels }: Properties) {
  const { data: tools = [], isPending } = useQuery(trainedToolsQuery(modelId))
  const [hasTools, setHasTools] = useState(true)
  const [panes, setPanes] = useState<readonly Pane[]>(() => firstModels(choices).map((model) => ({ model, turns: [] })))
  const [text, setText] = useState('')
  const [temperature, setTemperature] = useState(0.7)
  const [running, setRunning] = useState<AbortController>()
  const last = useRef<AbortController>(undefined)
  useEffect(() => () => last.current?.abort(), [])
  const isBusy = running !== undefined

  const update = (at: number, change: (pane: Pane) => Pane) =>
    setPanes((all) => all.map((pane, place) => (place === at ? change(pane) : pane)))
  function arrange(next: readonly Pane[]) {
    setPanes(next)
    onModels(next.map(({ model }) => model))
  }

  async function answer(at: number, model: string, turns: readonly Turn[], signal: AbortSignal) {
    const startedAt = performance.now()
    const say = (said: Said, ms?: number) =>
      update(at, () => ({ model, turns: [...turns, { role: 'assistant', ...said, ...(ms !== undefined && { ms }) }] }))
    say(nothingSaid)
    try {
      let said = nothingSaid
      const messages = turns.map(({ role, content }) => ({ role, content }))
      for await (const next of askModel({ model, messages, temperature, maxTokens, tools: hasTools ? tools : [] }, signal))
        say((said = next))
      say(said, performance.now() - startedAt)
    } catch (error) {
      const problem = signal.aborted ? 'Stopped' : error instanceof Error ? error.message : String(error)
      update(at, (pane) => ({ ...pane, problem }))
    }
  }

  async function send() {
    if (text.trim() === '' || isBusy || isPending) return
    const controller = new AbortController()
    last.current = controller
    setRunning(controller)
    setText('')
    const question: Turn = { role: 'user', content: text }
    await Promise.all(
      panes.map(({ model, turns }, at) =>
        answer(at, model, [...turns.filter(({ content }) => content !== ''), question], controller.signal),
      ),
    )
    setRunning(undefined)
  }

  const unused = choices.find(({ model }) => panes.every((pane) => pane.model !== model))
  return (
    <section
      id="chat"
      aria-label="Chat"
      className="flex min-h-120 min-w-0 flex-1 flex-col border-line max-lg:shrink-0 max-lg:border-t lg:min-h-0 lg:border-l"
    >
      <div className="flex h-12 shrink-0 items-center gap-2 border-b border-line px-4">
        <h2 className="font-semibold">Chat</h2>
        <span className="truncate text-xs text-fg-3">
          {panes.length === 1 ? 'one checkpoint' : `${panes.length} checkpoints, same prompt`}
        </span>
        <span className="grow" />
        {unused && panes.length < maxPanes && (
          <Button variant="ghost" icon={Plus} disabled={isBusy} onClick={() => arrange([...panes, { model: unused.model, turns: [] }])}>
            Add checkpoint
          </Button>
        )}
      </div>
      <div className="grid min-h-0 grow auto-cols-fr grid-flow-col overflow-x-auto">
        {panes.map((pane, at) => (
          // Panes are identified by index.
          <div key={at} className={cx('flex min-h-0 min-w-40 flex-col', at > 0 && 'border-l border-line')}>
            <div className="flex h-10 shrink-0 items-center gap-2 border-b border-line px-3">
              <span aria-hidden className={cx('size-2 shrink-0 rounded-full', lookOfPane(at))} />
              <Select
                hideLabel
                label={`Model ${at + 1}`}
                value={pane.model}
                onChange={(model) => !isBusy && arrange(panes.map((one, place) => (place === at ? { model, turns: [] } : one)))}
                choices={choices.map(({ model, title, note }) => ({ value: model, label: title, ...(note !== undefined && { note }) }))}
              />
              <span className="grow" />
              {panes.length > 1 && (
                <IconButton
                  label={`Remove model ${at + 1}`}
                  icon={X}
                  disabled={isBusy}
                  onClick={() => arrange(panes.filter((_, place) => place !== at))}
                />
              )}
            </div>
            <div
              role="log"
              aria-label={`Conversation with model ${at + 1}`}
              aria-busy={isBusy}
              tabIndex={0}
              className="min-h-0 grow overflow-auto p-3 -outline-offset-2"
            >
              <Conversation pane={pane} />
            </div>
          </div>
        ))}
      </div>
      <form
        className="flex shrink-0 flex-col gap-2 border-t border-line p-3"
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          void send()
        }}
      >
        <div className="field flex items-end gap-2 p-1.5">
          <Textarea
            aria-label="Message"
            rows={2}
            placeholder={panes.length === 1 ? 'Message the checkpoint' : 'Message all checkpoints'}
            className="min-w-0 grow resize-none border-0 bg-transparent outline-none!"
            value={text}
            onChange={({ target }) => setText(target.value)}
            onKeyDown={(event: KeyboardEvent) => {
              if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
              event.preventDefault()
              void send()
            }}
          />
          {running ? (
            <IconButton label="Stop" icon={CircleStop} variant="secondary" onClick={() => running.abort()} />
          ) : (
            <IconButton
              label="Send"
              keys="enter"
              icon={ArrowUp}
              variant="primary"
              type="submit"
              disabled={text.trim() === '' || isPending}
            />
          )}
        </div>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-xs text-fg-3">
          <Slider
            compact
            label="Temperature"
            min={0}
            max={2}
            step={0.1}
            value={temperature}
            format={(value) => value.toFixed(1)}
            onChange={setTemperature}
          />
          {tools.length > 0 && (
            <span className="min-w-0 truncate" data-tip={`Offered, not run: ${namesOfTools(tools)}`}>
              <Checkbox label="Tools of its training" checked={hasTools} onChange={setHasTools} />
            </span>
          )}
          <span>At most {maxTokens} tokens</span>
        </div>
      </form>
    </section>
  )
}

/** The base model, or the oldest checkpoint, next to the newest. */
function firstModels(choices: readonly ModelChoice[]): string[] {
  const [newest, last] = [choices[0], choices.at(-1)]
  return [...new Set([last, newest].flatMap((choice) => choice?.model ?? []))]
}

function Conversation({ pane: { turns, problem } }: { pane: Pane }) {
  if (turns.length === 0)
    return (
      <p className="flex h-full items-center justify-center gap-2 text-fg-3">
        <MessageSquare size={14} aria-hidden />
        No messages yet
      </p>
    )
  return (
    <>
      <Chat>
        {turns.map((turn, at) => (
          // Turns are only added.
          <ChatMessage
            key={at}
            role={turn.role}
            label={`Message ${at + 1}`}
            meta={
              turn.role === 'assistant' && turn.ms !== undefined && <span className="num text-xs text-fg-3">{formatDuration(turn.ms)}</span>
            }
          >
            {turn.role === 'user' ? (
              <LongText label={`Message ${at + 1}, text`} text={turn.content} />
            ) : (
              <Answer said={turn} number={at + 1} />
            )}
          </ChatMessage>
        ))}
      </Chat>
      {problem !== undefined && <Notice tone={problem === 'Stopped' ? 'info' : 'error'} title={problem} className="mt-3" />}
    </>
  )
}

const Answer = ({ said: { text, toolCalls }, number }: { said: Said; number: number }) => (
  <>
    {text !== '' && <LongText label={`Message ${number}, text`} text={text} />}
    {toolCalls.map(({ name, arguments: given }, at) => (
      // Calls keep their order, so the index is a stable key.
      <ToolCall key={at} name={name} args={toArguments(given)} hasResult={false} />
    ))}
  </>
)

/** The arguments of a call as a value. Anything but JSON, such as partial JSON during sampling, remains text. */
function toArguments(text: string): unknown {
  try {
    return parseExactJson(text)
  } catch {
    return text
  }
}
