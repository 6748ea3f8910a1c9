import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { askModel, type ChatTurn } from './ask-model.ts'
import { namesOfTools, trainedToolsQuery } from './trained-tools.ts'

const maxTokens = 512

/** What one model has said, and says. */
interface Pane {
  turns: readonly ChatTurn[]
  problem?: string
}

/** A conversation with two versions of a model at once: both get every message, and answer beside each other. */
export function ChatPanes({ modelId, base, versions }: { modelId: string; base: string; versions: readonly string[] }) {
  const { data: tools = [], isPending } = useQuery(trainedToolsQuery(modelId))
  const [hasTools, setHasTools] = useState(true)
  const models = [...versions, base]
  const [chosen, setChosen] = useState<readonly string[]>([models.at(-1) ?? base, models[0] ?? base])
  const [panes, setPanes] = useState<readonly Pane[]>([{ turns: [] }, { turns: [] }])
  const [text, setText] = useState('')
  const [temperature, setTemperature] = useState(0.7)
  const [running, setRunning] = useState<AbortController>()
  const last = useRef<AbortController>(undefined)
  useEffect(() => () => last.current?.abort(), [])

  const update = (at: number, change: (pane: Pane) => Pane) =>
    setPanes((all) => all.map((pane, place) => (place === at ? change(pane) : pane)))

  async function answer(at: number, turns: readonly ChatTurn[], signal: AbortSignal) {
    update(at, () => ({ turns: [...turns, { role: 'assistant', content: '' }] }))
    try {
      const question = { model: chosen[at] ?? base, messages: turns, temperature, maxTokens, tools: hasTools ? tools : [] }
      for await (const content of askModel(question, signal)) {
        update(at, () => ({ turns: [...turns, { role: 'assistant', content }] }))
      }
    } catch (error) {
      const problem = signal.aborted ? 'stopped' : error instanceof Error ? error.message : String(error)
      update(at, (pane) => ({ ...pane, problem }))
    }
  }

  async function send(event: FormEvent) {
    event.preventDefault()
    if (text.trim() === '' || running || isPending) return
    const controller = new AbortController()
    last.current = controller
    setRunning(controller)
    setText('')
    await Promise.all(
      panes.map(({ turns }, at) =>
        answer(at, [...turns.filter(({ content }) => content !== ''), { role: 'user', content: text }], controller.signal),
      ),
    )
    setRunning(undefined)
  }

  return (
    <section aria-label="Chat">
      <h2>Chat with two checkpoints</h2>
      <div className="beside">
        {panes.map((pane, at) => (
          // A pane is its place.
          <div key={at}>
            <label htmlFor={`chat-model-${at}`}>Model {at + 1}</label>
            <select
              id={`chat-model-${at}`}
              value={chosen[at]}
              disabled={running !== undefined}
              onChange={({ target }) => setChosen(chosen.map((one, place) => (place === at ? target.value : one)))}
            >
              {models.map((model) => (
                <option key={model}>{model}</option>
              ))}
            </select>
            <div
              className="chat-turns"
              role="log"
              aria-label={`Conversation with model ${at + 1}`}
              aria-busy={running !== undefined}
              tabIndex={0}
            >
              {pane.turns.map(({ role, content }, place) => (
                // Turns are only added.
                <p key={place} className={role}>
                  <strong>{role === 'user' ? 'You' : 'Model'}</strong> {content}
                </p>
              ))}
              {pane.problem !== undefined && <p className="problem">{pane.problem}</p>}
            </div>
          </div>
        ))}
      </div>
      <form onSubmit={(event) => void send(event)}>
        <label htmlFor="chat-text">Message</label>
        <textarea id="chat-text" rows={3} value={text} onChange={({ target }) => setText(target.value)} />
        <div className="row">
          <label htmlFor="chat-temperature">Temperature</label>
          <input
            id="chat-temperature"
            type="number"
            min={0}
            max={2}
            step={0.1}
            value={temperature}
            onChange={({ target }) => setTemperature(Math.min(2, Math.max(0, Number(target.value) || 0)))}
          />
          {tools.length > 0 && (
            <label>
              <input type="checkbox" checked={hasTools} onChange={({ target }) => setHasTools(target.checked)} /> Offer the tools of its
              training ({namesOfTools(tools)}), which are not run
            </label>
          )}
          {running ? (
            <button type="button" onClick={() => running.abort()}>
              Stop
            </button>
          ) : (
            <button type="submit" className="primary" disabled={text.trim() === '' || isPending}>
              Send to both
            </button>
          )}
          <span className="muted">An answer has at most {maxTokens} tokens.</span>
        </div>
      </form>
    </section>
  )
}
