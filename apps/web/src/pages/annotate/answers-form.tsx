import { ArrowLeft, ArrowRight, CornerUpLeft, Flag } from 'lucide-react'
import { Button, IconButton } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Failure } from '../../ui/states/failure.tsx'
import { correctionField, noteField } from './annotate-queries.ts'
import type { AnnotationField } from './annotation-field.ts'
import { ClaimNotices } from './claim-line.tsx'
import { CorrectedOutput } from './corrected-output.tsx'
import { FieldControl } from './field-control.tsx'
import { NoteControl } from './note-control.tsx'
import { OtherAnswers } from './other-answers.tsx'
import type { QueueItem } from '../../features/queues/queue-queries.ts'
import type { Annotation } from './use-annotation.ts'
import type { ItemClaim } from './use-claim.ts'
import type { StepMessage } from './use-step.ts'

interface Properties {
  queue: string
  item: QueueItem
  /** Null where the call was deleted. */
  call: Readonly<Record<string, unknown>> | null
  fields: readonly AnnotationField[]
  username: string
  claim: ItemClaim
  annotation: Annotation
}

/** The questions with their answers, above what leads to the next item. */
export function AnswersForm({ queue, item, call, fields, username, claim, annotation }: Properties) {
  const { answers, field: keyed, step, isReviewed } = annotation
  const { saver, change, refuse } = answers
  return (
    <section
      aria-label="Your answers"
      className="flex w-90 shrink-0 flex-col border-l border-line max-md:min-h-0 max-md:w-full max-md:shrink max-md:basis-1/2 max-md:border-t max-md:border-l-0"
      onInput={claim.work}
    >
      <div className="flex min-h-0 grow flex-col gap-3 overflow-auto px-6 py-5">
        <ClaimNotices claim={claim} />
        {isReviewed && (
          <Notice
            title={item.own_state === 'skipped' ? 'You skipped this item' : 'You completed this item'}
            actions={
              <Button keys="r" disabled={step.isLeaving} onClick={() => annotation.act({ do: 'reopen' })}>
                Reopen
              </Button>
            }
          />
        )}
        {fields.length === 0 && <Notice title="No questions in this queue">You can still write a note.</Notice>}
        {fields.map((field, at) => (
          <FieldControl
            key={field.name}
            field={field}
            state={saver.state(field.name)}
            isCurrent={at === keyed.current}
            onCurrent={() => keyed.setCurrent(at)}
            onChange={(value) => change(field.name, value)}
            onRefused={(why) => refuse(field.name, why)}
          />
        ))}
        {call !== null && (
          <CorrectedOutput
            output={call['output']}
            state={saver.state(correctionField)}
            onChange={(value) => change(correctionField, value)}
            onRefused={(why) => refuse(correctionField, why)}
          />
        )}
        <NoteControl state={saver.state(noteField)} onChange={(value) => change(noteField, value)} />
        <OtherAnswers queue={queue} call={item.call_id} username={username} />
      </div>
      <Steps annotation={annotation} />
    </section>
  )
}

function SaidOfStep({ said }: { said: NonNullable<StepMessage> }) {
  if ('error' in said) return <Failure error={said.error} className="" />
  return 'problem' in said ? <Notice tone="error" title={said.problem} /> : <Notice title={said.message} />
}

function Steps({ annotation: { act, step } }: Pick<Properties, 'annotation'>) {
  const { isLeaving, said } = step
  return (
    <div className="flex shrink-0 flex-col gap-2 border-t border-line bg-sunken p-4">
      {said && <SaidOfStep said={said} />}
      <Button variant="primary" size="lg" keys="mod+enter" className="w-full" disabled={isLeaving} onClick={() => act({ do: 'complete' })}>
        Complete and next
      </Button>
      <div className="flex items-center gap-1">
        <IconButton label="Previous item" keys="left" icon={ArrowLeft} onClick={() => act({ do: 'previous' })} />
        <IconButton label="Next item" keys="right" icon={ArrowRight} onClick={() => act({ do: 'next' })} />
        <span className="grow" />
        <Button variant="ghost" icon={CornerUpLeft} keys="u" onClick={() => act({ do: 'undo' })}>
          Undo
        </Button>
        <Button variant="ghost" icon={Flag} keys="s" disabled={isLeaving} onClick={() => act({ do: 'skip' })}>
          Skip
        </Button>
      </div>
    </div>
  )
}
