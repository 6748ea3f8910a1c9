import {
  Ban,
  Bot,
  Braces,
  Check,
  CircleCheck,
  CircleDashed,
  CircleX,
  LoaderCircle,
  type LucideIcon,
  Search,
  Scale,
  ShieldCheck,
  Sparkles,
  TriangleAlert,
  Wrench,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '../lib/cx.ts'

export type Tone = 'neutral' | 'accent' | 'green' | 'red' | 'amber' | 'blue'
const tones: Record<Tone, string> = {
  neutral: 'bg-hover text-fg-2 border-line',
  accent: 'bg-accent-soft text-accent-text border-accent-line',
  green: 'bg-green-soft text-green-text border-green-line',
  red: 'bg-red-soft text-red-text border-red-line',
  amber: 'bg-amber-soft text-amber-text border-amber-line',
  blue: 'bg-blue-soft text-blue-text border-blue-line',
}
export function Badge({
  tone = 'neutral',
  icon: Icon,
  children,
  className,
}: {
  tone?: Tone
  icon?: LucideIcon
  children: ReactNode
  className?: string
}) {
  return (
    <span className={cx('inline-flex h-5 items-center gap-1 rounded-sm border px-1.5 text-xs whitespace-nowrap', tones[tone], className)}>
      {Icon && <Icon size={12} aria-hidden />}
      {children}
    </span>
  )
}

export type Status = 'ok' | 'error' | 'running' | 'queued' | 'warning' | 'cancelled'
/** Each status has its own shape, so that none differ only in color. */
const statuses: Record<Status, { icon: LucideIcon; text: string; color: string }> = {
  ok: { icon: CircleCheck, text: 'Succeeded', color: 'text-green' },
  error: { icon: CircleX, text: 'Failed', color: 'text-red' },
  running: { icon: LoaderCircle, text: 'Running', color: 'text-blue' },
  queued: { icon: CircleDashed, text: 'Queued', color: 'text-fg-3' },
  warning: { icon: TriangleAlert, text: 'Needs attention', color: 'text-amber' },
  cancelled: { icon: Ban, text: 'Cancelled', color: 'text-fg-3' },
}
export function StatusIcon({ status, label, size = 15 }: { status: Status; label?: string; size?: number }) {
  const { icon: Icon, text, color } = statuses[status]
  return (
    <span role="img" aria-label={label ?? text} className={cx('inline-flex', color)}>
      <Icon size={size} strokeWidth={2} className={status === 'running' ? 'spin' : undefined} aria-hidden />
    </span>
  )
}
export function StatusText({ status, children }: { status: Status; children?: ReactNode }) {
  const { icon: Icon, text, color } = statuses[status]
  return (
    <span className="inline-flex items-center gap-1.5 align-middle whitespace-nowrap">
      <Icon size={14} aria-hidden className={cx(color, status === 'running' && 'spin')} />
      {children ?? text}
    </span>
  )
}

export type Kind = 'agent' | 'llm' | 'tool' | 'retrieval' | 'scorer' | 'guard' | 'fn'
export const kinds: Record<Kind, { icon: LucideIcon; text: string }> = {
  agent: { icon: Bot, text: 'Agent' },
  llm: { icon: Sparkles, text: 'Model' },
  tool: { icon: Wrench, text: 'Tool' },
  retrieval: { icon: Search, text: 'Retrieval' },
  scorer: { icon: Scale, text: 'Scorer' },
  guard: { icon: ShieldCheck, text: 'Guardrail' },
  fn: { icon: Braces, text: 'Function' },
}
export function KindIcon({ kind, size = 20 }: { kind: Kind; size?: 16 | 20 | 24 }) {
  const { icon: Icon, text } = kinds[kind]
  return (
    <span
      role="img"
      aria-label={text}
      className={cx(
        'inline-flex shrink-0 items-center justify-center',
        size === 16 ? 'size-4 rounded-sm' : size === 20 ? 'size-5 rounded-sm' : 'size-6 rounded-md',
      )}
      style={{ background: `var(--kind-${kind}-soft)`, color: `var(--kind-${kind})` }}
    >
      <Icon size={size === 24 ? 14 : size === 20 ? 12 : 10} strokeWidth={2} aria-hidden />
    </span>
  )
}

/** A change against a baseline: arrow and sign, then color. `good` is the better direction; grey if it may be chance. */
export function Delta({
  value,
  text,
  good = 'up',
  noise,
  className,
}: {
  value: number
  text: string
  good?: 'up' | 'down'
  noise?: boolean
  className?: string
}) {
  const better = good === 'up' ? value > 0 : value < 0
  const tone = value === 0 || noise ? 'text-fg-3' : better ? 'text-green-text' : 'text-red-text'
  return (
    <span className={cx('num inline-flex items-center gap-0.5 whitespace-nowrap', tone, className)}>
      <span aria-hidden className="text-[9px]">
        {value > 0 ? '▲' : value < 0 ? '▼' : '='}
      </span>
      {text}
    </span>
  )
}

export function Score({ name, value, text, bad }: { name?: string; value: number | boolean; text?: string; bad?: boolean }) {
  const failed = bad ?? (typeof value === 'boolean' ? !value : value < 0.5)
  return (
    <span className="inline-flex h-5 items-center gap-1 rounded-sm border border-line bg-sheet px-1.5 text-xs whitespace-nowrap">
      {typeof value === 'boolean' ? (
        value ? (
          <Check size={12} strokeWidth={2.5} className="text-green" aria-label="pass" />
        ) : (
          <CircleX size={12} className="text-red" aria-label="fail" />
        )
      ) : (
        <span aria-hidden className={cx('h-2.5 w-1 rounded-full', failed ? 'bg-red' : value < 0.8 ? 'bg-amber' : 'bg-green')} />
      )}
      {name && <span className="text-fg-2">{name}</span>}
      {typeof value === 'number' && <span className="num font-medium">{text ?? value.toFixed(2)}</span>}
    </span>
  )
}
export function Tag({ children }: { children: ReactNode }) {
  return (
    <span className="inline-flex h-5 items-center rounded-sm border border-line-2 px-1.5 text-xs whitespace-nowrap text-fg-2">
      {children}
    </span>
  )
}
export function Avatar({ name, size = 20 }: { name: string; size?: 20 | 24 | 32 }) {
  const initials = name
    .split(/[ .@-]/)
    .slice(0, 2)
    .map((part) => part[0]?.toUpperCase())
    .join('')
  const hue = [...name].reduce((sum, c) => sum + c.charCodeAt(0), 0) % 5
  const color = (['agent', 'retrieval', 'tool', 'scorer', 'llm'] as const)[hue] ?? 'fn'
  return (
    <span
      aria-hidden
      className={cx(
        'inline-flex shrink-0 items-center justify-center rounded-full font-medium',
        size === 20 ? 'size-5 text-[9px]' : size === 24 ? 'size-6 text-[10px]' : 'size-8 text-xs',
      )}
      style={{ background: `var(--kind-${color}-soft)`, color: `var(--kind-${color})` }}
    >
      {initials}
    </span>
  )
}
export function Progress({ value, label, tone = 'accent' }: { value: number; label: string; tone?: 'accent' | 'green' | 'blue' }) {
  return (
    <span
      role="progressbar"
      aria-label={label}
      aria-valuenow={Math.round(value * 100)}
      aria-valuemin={0}
      aria-valuemax={100}
      className="block h-1 w-full overflow-hidden rounded-full bg-active"
    >
      <span
        className={cx('block h-full rounded-full', tone === 'green' ? 'bg-green' : tone === 'blue' ? 'bg-blue' : 'bg-accent')}
        style={{ width: `${value * 100}%` }}
      />
    </span>
  )
}
/** A version after a colon, or the step of a checkpoint. */
const version = /:[^:]*$|-step\d+$/

/** A name with a version keeps its version when it is cut: "support-agent-1…:240". */
export function NameTag({ text }: { text: string }) {
  const at = text.search(version)
  return at < 0 ? (
    <span className="block truncate">{text}</span>
  ) : (
    <span className="flex min-w-0">
      <span className="truncate">{text.slice(0, at)}</span>
      <span className="shrink-0 text-fg-2">{text.slice(at)}</span>
    </span>
  )
}
