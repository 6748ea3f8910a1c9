import { useQuery } from '@tanstack/react-query'
import { ArrowUp, CircleStop, MessageSquare, Plus, X } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, Suspense, useEffect, useRef, useState } from 'react'
import { explain } from '../../ui/states/query-problem.tsx'
import { isMissingCode } from '../../lib/code/missing-code.ts'
import { messageOf } from '../../lib/texts/message-of.ts'
import { cx } from '../../lib/cx.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Checkbox, Slider, Textarea } from '../../ui/field.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import type { PartialAnswer } from './ask-model.ts'
import type { Turn } from './chat-turns.tsx'
import { lookOfPane, maxPanes, type ModelChoice } from './model-choice.ts'
import { namesOfTools, trainedToolsQuery } from './trained-tools.ts'

// Code of answers is fetched with the first one.
const ChatTurns = lazyPart(() => import('./chat-turns.tsx').then(({ ChatTurns }) => ChatTurns))

const maxTokens = 512

interface Pane {
  /** The model's name in requests. */
  model: string
  turns: readonly Turn[]
  problem?: string
}

const nothingSaid: PartialAnswer = { text: '', toolCalls: [], content: '' }

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
    const say = (said: PartialAnswer, ms?: number) =>
      update(at, () => ({ model, turns: [...turns, { role: 'assistant', ...said, ...(ms !== undefined && { ms }) }] }))
    say(nothingSaid)
    try {
      const { askModel } = await import('./ask-model.ts')
      let said = nothingSaid
      const messages = turns.map(({ role, content }) => ({ role, content }))
      for await (const next of askModel({ model, messages, temperature, maxTokens, tools: hasTools ? tools : [] }, signal))
        say((said = next))
      say(said, performance.now() - startedAt)
    } catch (error) {
      const problem = signal.aborted ? 'Stopped' : isMissingCode(error) ? explain(error) : messageOf(error)
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
      <Suspense>
        <ChatTurns turns={turns} />
      </Suspense>
      {problem !== undefined && <Notice tone={problem === 'Stopped' ? 'info' : 'error'} title={problem} className="mt-3" />}
    </>
  )
}
