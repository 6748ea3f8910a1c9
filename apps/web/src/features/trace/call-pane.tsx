import type { Call } from '@heddle/core-api/types'
import { type Message, readConversation } from '@heddle/trace-model'
import { ChevronRight, ListTree } from 'lucide-react'
import { type ReactNode, Suspense, useMemo } from 'react'
import { formatDuration } from '../../lib/time/duration.ts'
import { formatCost } from '../../lib/texts/format-cost.ts'
import { LongText } from '../../ui/texts/long-text.tsx'
import { readableName } from '../../lib/texts/readable-name.ts'
import { Time } from '../../ui/time/time.tsx'
import { toText } from '../../lib/texts/to-text.ts'
import { ShowValue } from '../values/show-value.tsx'
import { KindIcon, StatusText, Tag } from '../../ui/badge.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { PageFooter } from '../../ui/page.tsx'
import { Pending } from '../../ui/states/pending.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { type CallRow, isNothing, toCallRow } from '../calls/call-row.ts'
import { CallName } from '../calls/call-name.tsx'
import { signOfKind } from '../calls/kind-of-call.ts'
import { type ModelUsage, usageOfCall } from '../calls/model-usage.ts'
import { signOfStatus } from '../calls/status-sign.ts'
import { factGroupsOf } from './attributes/facts-of-value.ts'
import { type ChildCall, Children } from './children.tsx'
import { ShowMessages } from './show-messages.tsx'
import { readTools } from './tools/read-tools.ts'
import { ShowTools } from './tools/show-tools.tsx'
import { type DetailsTab, detailsTabs } from '../calls/details-tabs.ts'

const ShowAttributes = lazyPart(() => import('./attributes/show-attributes.tsx').then(({ ShowAttributes }) => ShowAttributes))

const titles: Record<DetailsTab, string> = {
  messages: 'Messages',
  values: 'Input & output',
  attributes: 'Attributes',
  feedback: 'Scores',
  cost: 'Cost',
  links: 'Links',
  raw: 'Raw',
}

/** The calls below a call in its trace. */
export interface CallsBelow {
  calls: readonly ChildCall[]
  /** Usage of the call and those below it, once known. */
  usage: readonly ModelUsage[] | undefined
  onSelect: (id: string) => void
  /** The last conversation with a model below it, where the call itself holds nothing. */
  conversation?: ReactNode
}

interface Properties {
  call: Call
  tab: DetailsTab | undefined
  onTab: (tab: DetailsTab) => void
  /** The calls below it, if known. */
  below?: CallsBelow | undefined
  /** Next to the tabs. */
  actions?: ReactNode
  /** Above the tabs, instead of its name, if that is shown elsewhere. */
  head?: (row: CallRow) => ReactNode
  /** How many of its scores are known. */
  scores?: number | undefined
  /** Tabs with data of the project about the call. */
  ofProject?: Partial<Record<DetailsTab, () => ReactNode>>
}

/** One call, one tab at a time. Everything except `actions` and `ofProject` is read from the call itself. */
export function CallPane({ call, tab, onTab, below, actions, head, scores, ofProject = {} }: Properties) {
  const row = useMemo(() => toCallRow(call, []), [call])
  const messages = useMemo(() => {
    const { input, output } = readConversation(call)
    return [...input, ...output]
  }, [call])
  const groups = useMemo(() => factGroupsOf(call.attributes), [call])
  const parts: Partial<Record<DetailsTab, () => ReactNode>> = {
    messages: () => <Messages call={call} messages={messages} />,
    values: () => (isNothing(call.inputs) && isNothing(call.output) ? <Children {...below} /> : <Values call={call} />),
    attributes: () => <ShowAttributes groups={groups} />,
    raw: () => <Raw call={call} />,
    ...ofProject,
  }
  const shown = tab !== undefined && parts[tab] ? tab : messages.length > 0 ? 'messages' : 'values'
  const counts: Partial<Record<DetailsTab, number | undefined>> = { messages: messages.length || undefined, feedback: scores || undefined }
  const tabs = detailsTabs.filter((name) => parts[name] && (name !== 'messages' || messages.length > 0 || shown === 'messages'))
  return (
    <>
      {head === undefined ? <Head call={call} row={row} /> : head(row)}
      {call.exception !== null && (
        <div className="mx-4 mb-2 shrink-0 rounded-lg border border-red-line bg-red-soft px-3 py-2">
          <LongText look="error" label="Error" text={call.exception} />
        </div>
      )}
      <Tabs
        label="Parts of the span"
        value={shown}
        onChange={(next) => onTab(next as DetailsTab)}
        tabs={tabs.map((id) => ({ id, label: titles[id], count: counts[id] }))}
        actions={actions}
      >
        <Suspense
          fallback={
            <div className="p-4">
              <Pending what={titles[shown]} />
            </div>
          }
        >
          {parts[shown]?.()}
        </Suspense>
      </Tabs>
      {head === undefined ? (
        <PageFooter>
          <Foot call={call} status={row.status} />
        </PageFooter>
      ) : (
        <div className="flex h-9 shrink-0 items-center gap-2 border-t border-line px-4 text-xs text-fg-3">
          <Foot call={call} status={row.status} />
        </div>
      )}
    </>
  )
}

/** Which call it is. */
const Foot = ({ call, status }: { call: Call; status: CallRow['status'] }) => (
  <>
    <StatusText status={signOfStatus(status).status}>{signOfStatus(status).label}</StatusText>
    <ChevronRight size={12} aria-hidden />
    <span className="mono truncate">{call.id}</span>
    <span className="grow" />
    <span className="num whitespace-nowrap max-md:hidden">
      <Time value={call.started_at} />
    </span>
  </>
)

/** Summary of the call. */
function Head({ call, row }: { call: Call; row: CallRow }) {
  // Names of model calls often are those of their models.
  const models = [...new Set(usageOfCall(call).map(({ model }) => model))].filter((model) => !row.name.includes(model))
  return (
    <div className="flex h-11 shrink-0 items-center gap-2 pr-3 pl-4">
      <KindIcon kind={signOfKind(row.kind)} size={24} />
      <h2 className="min-w-16 truncate font-semibold" data-cut="" data-tip={readableName(row.name)}>
        <CallName name={row.name} kind={signOfKind(row.kind)} />
      </h2>
      {models.length > 0 && <span className="mono truncate text-fg-3">{models.join(', ')}</span>}
      <span className="grow" />
      <span className="num flex shrink-0 items-center gap-3 text-xs whitespace-nowrap text-fg-2">
        <span>{row.latencyMs === null ? 'Running' : formatDuration(row.latencyMs)}</span>
        {row.tokens !== null && <span>{`${row.tokens.toLocaleString('en')} tok`}</span>}
        {row.cost !== null && <span>{formatCost(row.cost)}</span>}
      </span>
      <CopyButton text={call.id} label="Copy span ID" />
    </div>
  )
}

function Values({ call }: { call: Call }) {
  return (
    <div className="flex flex-col gap-4 p-4">
      <ShowValue label="Input" path="inputs" value={call.inputs} />
      <ShowValue label="Output" path="output" value={call.output} />
    </div>
  )
}

function Messages({ call, messages }: { call: Call; messages: readonly Message[] }) {
  const tools = useMemo(() => readTools({ ...call }), [call])
  if (messages.length === 0) return <p className="p-4 text-fg-3">No messages in this span</p>
  return (
    <div className="flex flex-col gap-4 p-4">
      <ShowTools tools={tools} />
      <ShowMessages messages={messages} />
    </div>
  )
}

function Raw({ call }: { call: Call }) {
  const text = useMemo(() => toText(call), [call])
  return (
    <div className="relative p-4">
      <div className="absolute top-5 right-6 z-1">
        <CopyButton text={text} label="Copy JSON" />
      </div>
      <LongText label="Raw" text={text} />
    </div>
  )
}

/** Labels that the program gave to a call. */
export const TagsOfCall = ({ tags }: Pick<CallRow, 'tags'>) => tags.slice(0, 4).map(({ tag }) => <Tag key={tag}>{tag}</Tag>)

/** Replaces a call that was deleted, or never existed. */
export const NoCall = ({ id }: { id: string }) => (
  <p className="flex items-center gap-2 p-4 text-fg-2 wrap-anywhere">
    <ListTree size={14} aria-hidden className="text-fg-3" />
    <span>{`Call ${id} was not found. It may have been deleted.`}</span>
  </p>
)
