import { getRouteApi } from '@tanstack/react-router'
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { useProject } from '../../app/use-project.ts'
import { toAnswerMessage } from './runs/answer.ts'
import { ChooseModel } from './choose-model.tsx'
import { continueWith } from './runs/continue-with.ts'
import { type Draft, DraftProblem, maxVariants, noParameters, toBody } from './draft/draft.ts'
import { keepDraft, readDraft } from './draft/kept-draft.ts'
import { findProvided } from './known-models.ts'
import { MessageEditor } from './message-editor.tsx'
import type { KnownModels } from './playground-queries.ts'
import { modelsOf } from './playground-search.ts'
import { SaveDraft } from './draft/save-draft.tsx'
import { type Run, useRuns } from './runs/use-runs.ts'
import { VariantPane } from './variant-pane.tsx'

const route = getRouteApi('/$entity/$project/playground')

interface Properties {
  /** What the page begins with. */
  opened: Draft
  known: KnownModels
  /** Model of a variant that the address does not name. */
  first: string
}

/** The conversation and its variants. What is typed is kept until the window is closed. */
export function PlaygroundForm({ opened, known, first }: Properties) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { draft, setDraft, isKept, isChanged, reset } = useDraft(opened, search.call)
  const { runs, isRunning, start, stop, remove } = useRuns()
  const [problem, setProblem] = useState('')
  const models = modelsOf(search, first)

  const setModels = (next: readonly string[]) =>
    void navigate({ search: (before) => ({ ...before, models: next.join(',') }), replace: true })
  const parametersAt = (at: number) => draft.parameters[at] ?? noParameters

  function toRequest(at: number, model: string) {
    const provided = findProvided(known, model)
    if (provided?.name.trim() === '') throw new DraftProblem(`Name the model of ${provided.provider} for variant ${at + 1}.`)
    return { body: toBody(draft, at, model), isOfProvider: provided !== undefined }
  }

  function run(event: FormEvent) {
    event.preventDefault()
    if (isRunning) return
    try {
      const requests = models.map((model, at) => toRequest(at, model))
      setProblem('')
      void start(requests)
    } catch (error) {
      if (!(error instanceof DraftProblem)) throw error
      setProblem(error.message)
    }
  }

  function addVariant() {
    setDraft({ ...draft, parameters: [...models.map((_, at) => parametersAt(at)), parametersAt(models.length - 1)] })
    setModels([...models, models.at(-1) ?? first])
  }

  function removeVariant(at: number) {
    setDraft({ ...draft, parameters: models.map((_, place) => parametersAt(place)).filter((_, place) => place !== at) })
    setModels(models.filter((_, place) => place !== at))
    remove(at)
  }

  return (
    <>
      <form className="playground" onSubmit={run} onKeyDown={submitWithKeys}>
        <MessageEditor messages={draft.messages} onChange={(messages) => setDraft({ ...draft, messages })} />
        <label htmlFor="tools">Tools, a JSON list</label>
        <textarea
          id="tools"
          rows={draft.tools === '' ? 2 : 8}
          value={draft.tools}
          placeholder={'[{"type": "function", "function": {"name": "find", "parameters": {}}}]'}
          onChange={({ target }) => setDraft({ ...draft, tools: target.value })}
        />
        {!isKept && <p className="notice">This browser keeps no data for this page, so what you type is gone when it is closed.</p>}
        {problem !== '' && (
          <p role="alert" className="problem">
            {problem}
          </p>
        )}
        <div className="row">
          {/* With keys: a click on the one must not end on the other, which takes its place before the browser has dealt with the click. */}
          {isRunning ? (
            <button key="stop" type="button" onClick={stop}>
              Stop
            </button>
          ) : (
            <button key="run" type="submit" className="primary">
              {models.length > 1 ? `Run ${models.length} variants` : 'Run'}
            </button>
          )}
          {models.length < maxVariants && !isRunning && (
            <button type="button" onClick={addVariant}>
              Add a variant
            </button>
          )}
          {isChanged && !isRunning && (
            <button type="button" onClick={reset}>
              {search.call === undefined ? 'Clear' : 'Start over from the call'}
            </button>
          )}
          <span className="muted">Each run of a variant is recorded as a trace of this project.</span>
        </div>
        <div className="playground-variants">
          {models.map((model, at) => (
            // A variant is its place.
            <VariantPane
              key={at}
              at={at}
              parameters={parametersAt(at)}
              onParameters={(next) =>
                setDraft({ ...draft, parameters: models.map((_, place) => (place === at ? next : parametersAt(place))) })
              }
              run={runs[at]}
              onRemove={models.length > 1 && !isRunning ? () => removeVariant(at) : undefined}
              onContinue={(answer) => setDraft({ ...draft, messages: continueWith(draft.messages, answer) })}
            >
              <ChooseModel
                at={at}
                model={model}
                known={known}
                isDisabled={isRunning}
                onChange={(next) => setModels(models.with(at, next))}
              />
            </VariantPane>
          ))}
        </div>
      </form>
      <SaveDraft draft={draft} answers={models.map((_, at) => finishedAnswer(runs[at]))} />
    </>
  )
}

const finishedAnswer = (run: Run | undefined) =>
  run && !run.isRunning && run.problem === undefined ? toAnswerMessage(run.answer) : undefined

function submitWithKeys(event: KeyboardEvent<HTMLFormElement>) {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return
  event.preventDefault()
  event.currentTarget.requestSubmit()
}

function useDraft(opened: Draft, call: string | undefined) {
  const { id } = useProject()
  const [draft, setState] = useState(() => readDraft(window.sessionStorage, id, call) ?? opened)
  const [isKept, setIsKept] = useState(true)
  function setDraft(next: Draft) {
    setState(next)
    setIsKept(keepDraft(window.sessionStorage, id, call, next))
  }
  return { draft, setDraft, isKept, isChanged: JSON.stringify(draft) !== JSON.stringify(opened), reset: () => setDraft(opened) }
}
