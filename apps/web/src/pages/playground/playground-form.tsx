import { getRouteApi } from '@tanstack/react-router'
import { BookmarkPlus, CirclePlay, CircleStop, Plus, RotateCcw } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, type ReactNode, Suspense, useId, useMemo, useState } from 'react'
import { MoreMenu } from '../../ui/more-menu.tsx'
import { useProject } from '../../lib/use-project.ts'
import { Button } from '../../ui/button.tsx'
import { lazyDialog, lazyPart } from '../../ui/lazy-part.tsx'
import { MenuItem } from '../../ui/menu.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page.tsx'
import { ChooseModel } from './choose-model.tsx'
import {
  type Draft,
  DraftProblem,
  isSame,
  messagesAt,
  parametersAt,
  parametersOf,
  toBody,
  withCopyOf,
  withMessagesAt,
  withoutVariant,
} from '../../features/playground/draft/draft.ts'
import { keepDraft, readDraft } from './draft/kept-draft.ts'
import { variablesIn } from '../../features/playground/draft/variables.ts'
import { maxVariants, nameOfVariant } from '../../features/playground/draft/variants.ts'
import { findProvided, isKnown } from './known-models.ts'
import { MessageEditor } from './message-editor.tsx'
import type { KnownModels } from './playground-queries.ts'
import { modelsOf } from './playground-search.ts'
import { useRuns } from './runs/use-runs.ts'
import { ParameterFields, VariantPane } from './variant-pane.tsx'
import { VariablesBar } from './variables-bar.tsx'

const RunOutput = lazyPart(() => import('./run-output.tsx').then(({ RunOutput }) => RunOutput))
const SavePrompt = lazyDialog(() => import('./draft/save-dialogs.tsx').then(({ SavePrompt }) => SavePrompt))
const SaveRow = lazyDialog(() => import('./draft/save-dialogs.tsx').then(({ SaveRow }) => SaveRow))

const route = getRouteApi('/$entity/$project/playground')

interface Properties {
  /** Initial draft of the page. */
  opened: Draft
  known: KnownModels
  /** Model of a variant that the address does not name. */
  first: string
  /** Where it was opened from. */
  origin: ReactNode
  /** Leads to earlier runs. */
  history: ReactNode
}

/** The variants next to each other. Input is kept until the window is closed. */
export function PlaygroundForm({ opened, known, first, origin, history }: Properties) {
  const id = useId()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const source = search.call ?? (search.prompt === undefined ? undefined : `prompt ${search.prompt}`)
  const { draft, setDraft, isKept, isChanged, reset } = useDraft(opened, source)
  const { runs, isRunning, start, stop, remove } = useRuns()
  const [problem, setProblem] = useState('')
  const [saving, setSaving] = useState<'prompt' | number>()
  const models = modelsOf(search, first)
  const count = models.length
  const names = useMemo(() => variablesIn(models.flatMap((_, at) => messagesAt(draft, at))), [draft, count])

  const setModels = (next: readonly string[]) =>
    void navigate({ search: (before) => ({ ...before, models: next.join(',') }), replace: true })

  function toRequest(at: number, model: string) {
    const provided = findProvided(known, model)
    if (provided?.name.trim() === '') throw new DraftProblem(`Name the model of ${provided.provider} for variant ${nameOfVariant(at)}.`)
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

  function copy(at: number) {
    setDraft(withCopyOf(draft, at, count))
    setModels([...models, models[at] ?? first])
  }

  function removeVariant(at: number) {
    setDraft(withoutVariant(draft, at, count))
    setModels(models.filter((_, place) => place !== at))
    remove(at)
  }

  return (
    <>
      <PageHead
        title="Playground"
        state={origin}
        actions={
          <>
            {history}
            <Button icon={BookmarkPlus} onClick={() => setSaving('prompt')}>
              Save prompt
            </Button>
            <Button icon={Plus} disabled={count >= maxVariants || isRunning} onClick={() => copy(count - 1)}>
              Add variant
            </Button>
            {isChanged && !isRunning && (
              <MoreMenu>
                <MenuItem icon={RotateCcw} onClick={reset}>
                  {source === undefined ? 'Clear' : 'Start over'}
                </MenuItem>
              </MoreMenu>
            )}
            {/* With keys: a click on the one must not end on the other, which takes its place before the browser has dealt with the click. */}
            {isRunning ? (
              <Button key="stop" icon={CircleStop} onClick={stop}>
                Stop
              </Button>
            ) : (
              <Button key="run" type="submit" form={id} variant="primary" icon={CirclePlay} keys="mod+enter">
                {count > 1 ? 'Run all' : 'Run'}
              </Button>
            )}
          </>
        }
      />
      <form id={id} className="flex min-h-0 grow flex-col" onSubmit={run} onKeyDown={submitWithKeys}>
        <VariablesBar
          names={names}
          values={draft.variables ?? {}}
          onValues={(variables) => setDraft({ ...draft, variables })}
          tools={draft.tools}
          onTools={(tools) => setDraft({ ...draft, tools })}
        />
        {!isKept && (
          <Notice className="m-3" tone="warning" title="This browser blocks storage for this page">
            What you type is gone when it is closed.
          </Notice>
        )}
        {problem !== '' && <Notice className="m-3" tone="error" title={problem} />}
        <div className="grid min-h-0 grow grid-flow-col overflow-x-auto" style={{ gridAutoColumns: 'minmax(300px, 1fr)' }}>
          {models.map((model, at) => {
            const variantRun = runs[at]
            return (
              <VariantPane
                // Variants are identified by index.
                key={String(at)}
                at={at}
                model={
                  <ChooseModel
                    at={at}
                    model={model}
                    known={known}
                    isDisabled={isRunning}
                    onChange={(next) => setModels(models.with(at, next))}
                  />
                }
                onCopy={count < maxVariants && !isRunning ? () => copy(at) : undefined}
                onSaveRow={() => setSaving(at)}
                onFollow={draft.own?.[at] ? () => setDraft(withMessagesAt(draft, at, draft.messages)) : undefined}
                onRemove={count > 1 && !isRunning ? () => removeVariant(at) : undefined}
              >
                <div className="flex flex-col gap-3 p-3">
                  {!isKnown(known, model) && (
                    <Notice tone="warning" title={`${model} is not available`}>
                      No model of this project or of a provider has this name.
                    </Notice>
                  )}
                  <MessageEditor
                    messages={messagesAt(draft, at)}
                    compared={at === 0 ? undefined : draft.messages}
                    onChange={(messages) => setDraft(withMessagesAt(draft, at, messages))}
                  />
                  <ParameterFields
                    parameters={parametersAt(draft, at)}
                    onChange={(next) => setDraft({ ...draft, parameters: parametersOf(draft, count).with(at, next) })}
                  />
                </div>
                <Suspense>
                  {variantRun && (
                    <RunOutput
                      name={`Variant ${nameOfVariant(at)}`}
                      run={variantRun}
                      messages={messagesAt(draft, at)}
                      onContinue={(messages) => setDraft(withMessagesAt(draft, at, messages))}
                      onSaveRow={() => setSaving(at)}
                    />
                  )}
                </Suspense>
              </VariantPane>
            )
          })}
        </div>
      </form>
      {saving === 'prompt' && (
        <SavePrompt draft={draft} variants={count} name={search.prompt?.split(':')[0] ?? ''} onClose={() => setSaving(undefined)} />
      )}
      {typeof saving === 'number' && <SaveRow draft={draft} at={saving} run={runs[saving]} onClose={() => setSaving(undefined)} />}
    </>
  )
}

function submitWithKeys(event: KeyboardEvent<HTMLFormElement>) {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return
  event.preventDefault()
  event.currentTarget.requestSubmit()
}

function useDraft(opened: Draft, source: string | undefined) {
  const { id } = useProject()
  const [draft, setState] = useState(() => readDraft(window.sessionStorage, id, source) ?? opened)
  const [isKept, setIsKept] = useState(true)
  function setDraft(next: Draft) {
    setState(next)
    setIsKept(keepDraft(window.sessionStorage, id, source, next))
  }
  return { draft, setDraft, isKept, isChanged: !isSame(draft, opened), reset: () => setDraft(opened) }
}
