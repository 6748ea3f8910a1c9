import { Link } from '@tanstack/react-router'
import { Braces, ExternalLink, Info, ListTree, SearchX } from 'lucide-react'
import { readConversation } from '@heddle/trace-model'
import { useMemo } from 'react'
import { useProject } from '../../lib/use-project.ts'
import { FormattedText } from '../../features/markdown/formatted-text.tsx'
import { looksLikeMarkdown } from '../../features/markdown/looks-like-markdown.ts'
import { EmptyState } from '../../ui/card.tsx'
import { Fold } from '../../ui/fold.tsx'
import { ShowMessages } from '../../features/trace/show-messages.tsx'
import { ReadableValue } from '../../features/values/readable-value.tsx'
import { messagesOf, shownValues, titleOfPath } from './shown-values.ts'

interface Properties {
  instructions: string
  callId: string
  /** Null where the call was deleted. */
  call: Readonly<Record<string, unknown>> | null
  /** Paths of the values to judge. Empty: all of the call. */
  displayFields: readonly string[]
}

/** The call to annotate, below the instructions. */
export function CallContent({ instructions, callId, call, displayFields }: Properties) {
  const project = useProject()
  return (
    <section aria-label="Call" tabIndex={0} className="min-h-0 min-w-0 grow overflow-auto bg-sunken max-md:basis-1/2 -outline-offset-2">
      <div className="mx-auto flex max-w-190 flex-col gap-4 p-6">
        {instructions !== '' && (
          <div className="flex items-start gap-2.5 rounded-lg border border-line bg-sheet p-3">
            <Info size={15} aria-hidden className="mt-0.5 shrink-0 text-fg-3" />
            <div className="min-w-0 grow text-fg-2">
              {looksLikeMarkdown(instructions) ? (
                <FormattedText text={instructions} label="Instructions" look="prose" />
              ) : (
                <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{instructions}</p>
              )}
            </div>
          </div>
        )}
        <div className="rounded-lg border border-line bg-sheet p-5">
          {call === null ? (
            <EmptyState icon={SearchX} title="The trace was deleted">
              Skip this item.
            </EmptyState>
          ) : (
            <CallValues call={call} displayFields={displayFields} />
          )}
        </div>
        {call !== null && (
          <Link
            to="/$entity/$project/calls/$call"
            params={{ ...project, call: callId }}
            className="inline-flex min-h-6 items-center gap-1 self-start text-xs text-accent-text"
          >
            Open trace
            <ExternalLink size={12} aria-hidden />
          </Link>
        )}
      </div>
    </section>
  )
}

type CallProperties = Pick<Properties, 'displayFields'> & { call: Readonly<Record<string, unknown>> }

/** The values that the queue shows, and on demand the rest of the call. */
function CallValues({ call, displayFields }: CallProperties) {
  if (displayFields.length === 0) return <WholeCall call={call} />
  return (
    <div className="flex flex-col gap-4">
      <ValueList call={call} paths={displayFields} />
      <Fold icon={ListTree} title="Whole call">
        <WholeCall call={call} />
      </Fold>
    </div>
  )
}

/** The conversation of a call in any convention, above its recorded values; the values alone if there is none. */
function WholeCall({ call }: Pick<CallProperties, 'call'>) {
  const { input, output } = readConversation(call)
  const messages = [...input, ...output]
  const values = <ValueList call={call} paths={noPaths} isRaw />
  if (messages.length === 0) return values
  return (
    <div className="flex flex-col gap-4">
      <section aria-label="Messages">
        <ShowMessages messages={messages} />
      </section>
      {typeof call['exception'] === 'string' && <ValueList call={call} paths={onlyException} />}
      <Fold icon={Braces} title="As recorded">
        {values}
      </Fold>
    </div>
  )
}

const noPaths: readonly string[] = []
const onlyException = ['exception']

interface ValueListProperties extends Pick<CallProperties, 'call'> {
  paths: readonly string[]
  /** As recorded: also what consists of messages. */
  isRaw?: boolean
}

/** Values of a call; what consists of messages is shown as these. */
function ValueList({ call, paths, isRaw = false }: ValueListProperties) {
  const values = useMemo(
    () => shownValues(call, paths).map((shown) => ({ ...shown, messages: isRaw ? [] : messagesOf(call, shown) })),
    [call, paths, isRaw],
  )
  return (
    <div className="flex flex-col gap-4">
      {values.map(({ path, value, messages }) => (
        <div key={path}>
          <h2 className="mb-1 text-xs font-medium text-fg-2">{titleOfPath(path)}</h2>
          {messages.length > 0 ? (
            <ShowMessages messages={messages} label={`${titleOfPath(path)}: `} />
          ) : (
            <ReadableValue label={path} value={value} />
          )}
        </div>
      ))}
    </div>
  )
}
