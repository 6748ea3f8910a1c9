import { Bot, Braces, type LucideIcon, Settings2, User, Wrench } from 'lucide-react'
import type { ReactNode } from 'react'
import { Badge, StatusIcon } from './badge.tsx'
import { Fold } from './fold.tsx'
import { JsonView } from './json-view.tsx'

interface Role {
  icon: LucideIcon
  text: string
  color: string
}

const roles: Partial<Record<string, Role>> = {
  system: { icon: Settings2, text: 'System', color: 'var(--kind-fn)' },
  developer: { icon: Settings2, text: 'Developer', color: 'var(--kind-fn)' },
  user: { icon: User, text: 'User', color: 'var(--kind-guard)' },
  assistant: { icon: Bot, text: 'Assistant', color: 'var(--kind-llm)' },
  tool: { icon: Wrench, text: 'Tool', color: 'var(--kind-tool)' },
  input: { icon: Braces, text: 'Input', color: 'var(--kind-fn)' },
  output: { icon: Braces, text: 'Output', color: 'var(--kind-fn)' },
}

/** A conversation as the model saw it, one `ChatMessage` after the other. */
export function Chat({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <ol aria-label={label} className="flex flex-col gap-4">
      {children}
    </ol>
  )
}

interface MessageProperties {
  /** A role without an icon is shown unchanged. */
  role: string
  name?: string | undefined
  /** Names the message for assistive technology. */
  label: string
  /** Next to its role. */
  meta?: ReactNode
  children: ReactNode
}

export function ChatMessage({ role, name, label, meta, children }: MessageProperties) {
  const known = roles[role]
  const Icon = known?.icon ?? Braces
  return (
    <li className="grid grid-cols-[20px_minmax(0,1fr)] gap-x-2.5">
      <span
        aria-hidden
        className="mt-0.5 inline-flex size-5 items-center justify-center rounded-sm border border-line bg-sunken"
        style={{ color: known?.color ?? 'var(--kind-fn)' }}
      >
        <Icon size={12} strokeWidth={2} />
      </span>
      <section aria-label={label} className="min-w-0">
        <div className="mb-1 flex min-h-6 items-center gap-2">
          <h3 className="text-xs font-semibold">{known?.text ?? role}</h3>
          {name !== undefined && <span className="mono truncate text-fg-3">{name}</span>}
          <span className="grow" />
          {meta}
        </div>
        <div className="flex flex-col gap-2">{children}</div>
      </section>
    </li>
  )
}

interface ToolProperties {
  name: string
  /** Undefined where none were recorded. */
  args?: unknown
  /** Undefined while there is none. */
  result?: unknown
  /** Why it failed. */
  error?: string | undefined
  hasResult: boolean
}

/** A tool call of a model, with its result below. A failed one is shown in the color of errors. */
export function ToolCall({ name, args, result, error, hasResult }: ToolProperties) {
  const state = error !== undefined ? <Badge tone="red">Failed</Badge> : hasResult && <StatusIcon status="ok" size={13} />
  return (
    <Fold
      icon={Wrench}
      isOpenAtFirst
      tone={error === undefined ? undefined : 'red'}
      title={<span className="mono">{name}</span>}
      meta={state}
    >
      <div className="grid gap-3">
        {args !== undefined && args !== null && <Part label="Arguments" value={args} />}
        {error !== undefined && (
          <div>
            <PartTitle>Error</PartTitle>
            <p className="mono break-words whitespace-pre-wrap text-red-text">{error}</p>
          </div>
        )}
        {error === undefined && hasResult && <Part label="Result" value={result} />}
      </div>
    </Fold>
  )
}

const PartTitle = ({ children }: { children: ReactNode }) => <div className="mb-1 text-2xs text-fg-3">{children}</div>

function Part({ label, value }: { label: string; value: unknown }) {
  return (
    <div>
      <PartTitle>{label}</PartTitle>
      <JsonView isBare value={value} label={label} />
    </div>
  )
}
