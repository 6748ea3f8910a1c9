import { Link } from '@tanstack/react-router'
import { ArrowRight, Database, type LucideIcon, Radio, SquareTerminal } from 'lucide-react'
import { useProject } from '../../lib/use-project.ts'
import { DemoHint } from '../../features/demo/demo-hint.tsx'

/** Shows that the page waits, and other ways to begin. */
export function WaitingForTrace() {
  return (
    <aside
      aria-label="First trace"
      className="flex w-90 shrink-0 flex-col border-l border-line max-lg:w-full max-lg:border-t max-lg:border-l-0 lg:overflow-auto"
    >
      <div role="status" className="flex flex-col items-center border-b border-line px-6 py-8 text-center">
        <span className="relative inline-flex size-16 items-center justify-center">
          <span aria-hidden className="live absolute inset-0 rounded-full bg-accent-soft" />
          <span aria-hidden className="absolute inset-2.5 rounded-full border border-accent-line bg-sheet" />
          <Radio size={20} aria-hidden className="relative text-accent-text" />
        </span>
        <p className="mt-4 text-lg font-semibold">Waiting for the first trace…</p>
        <p className="mt-0.5 text-fg-2">It shows up here the moment it arrives.</p>
      </div>
      <div className="border-b border-line p-5">
        <h2 className="mb-2 font-semibold">Nothing arrives?</h2>
        <p className="text-fg-2">
          A short program must wait until its spans are sent before it ends. The server log says which requests were refused, and why.
        </p>
      </div>
      <div className="p-3">
        <h2 className="mb-1 px-2 pt-1 font-semibold">Or start with</h2>
        <ul className="flex flex-col">
          <OtherStart path="playground" icon={SquareTerminal} title="Try the playground" />
          <OtherStart path="datasets" icon={Database} title="Import a dataset" />
        </ul>
        <p className="px-2 pt-2 text-fg-2">
          To look at a sample project, <DemoHint />.
        </p>
      </div>
    </aside>
  )
}

function OtherStart({ path, icon: Icon, title }: { path: 'playground' | 'datasets'; icon: LucideIcon; title: string }) {
  const { entity, project } = useProject()
  return (
    <li>
      <Link to={`/$entity/$project/${path}`} params={{ entity, project }} className="flex h-9 items-center gap-3 rounded-md px-2 pressable">
        <Icon size={15} strokeWidth={1.75} aria-hidden className="text-fg-3" />
        <span className="grow">{title}</span>
        <ArrowRight size={13} aria-hidden className="text-fg-3" />
      </Link>
    </li>
  )
}
