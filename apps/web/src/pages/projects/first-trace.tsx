import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Check, FileCode, KeyRound } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { serverUrl } from '../../lib/server/base-path.ts'
import { client } from '../../lib/server/client.ts'
import { useProject } from '../../lib/use-project.ts'
import { Failure } from '../../ui/states/failure.tsx'
import { CodeBlock } from '../../ui/code.tsx'
import { Fold } from '../../ui/fold.tsx'
import { cx } from '../../lib/cx.ts'
import { Button } from '../../ui/button.tsx'
import { PageHead } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { firstSpan, placeholder, programs, runCommands, wayNames, type WayToSend, waysToSend } from './first-trace-texts.ts'
import { WaitingForTrace } from './waiting-for-trace.tsx'

const daysOfKey = 90

/** How to send the first trace of a project. */
export function FirstTrace() {
  const project = useProject()
  const add = useMutation({
    // The secret is discarded with this page.
    gcTime: 0,
    mutationFn: () =>
      client.projectKeys.create({ project_id: project.id, name: 'first trace', role: 'ingest', expires_in_days: daysOfKey }),
  })
  const [way, setWay] = useState<WayToSend>('node')
  const [span] = useState(() => firstSpan({ nowMs: Date.now(), newId: () => crypto.randomUUID().replaceAll('-', '') }))
  const destination = { url: serverUrl(), project: project.id, key: add.data?.secret ?? placeholder }
  return (
    <div data-flush className="flex h-full min-h-0 max-lg:flex-col max-lg:overflow-auto">
      <PageHead title="Get started" />
      <div className="min-w-0 grow lg:overflow-auto">
        <div className="mx-auto max-w-190 px-8 py-6 max-md:px-4">
          <h2 className="text-2xl font-semibold tracking-tight">Send your first trace</h2>
          <p className="mt-1 mb-6 text-base text-fg-2">Three steps, about two minutes.</p>
          <ol className="flex flex-col">
            <Step place={1} title="Set a key" isDone={add.data !== undefined}>
              {add.data ? (
                <p role="status">
                  The commands below hold a key that only sends to this project, for {daysOfKey} days. It is shown once: copy them now.
                </p>
              ) : (
                <>
                  <Button variant="primary" icon={KeyRound} loading={add.isPending} onClick={() => add.mutate()}>
                    Create a key for these commands
                  </Button>
                  <p className="mt-1.5 text-xs text-fg-3">
                    Or replace {placeholder} by one of your keys, in{' '}
                    <Link
                      to="/$entity/$project/settings"
                      params={project}
                      search={{ part: 'keys' }}
                      className="text-accent-text underline underline-offset-2"
                    >
                      Settings
                    </Link>
                    .
                  </p>
                </>
              )}
              <Failure error={add.error} before="No key was created." />
            </Step>
            <Step place={2} title="Connect your program">
              <div className="overflow-hidden rounded-lg border border-line">
                <Tabs label="Language" value={way} onChange={(id) => setWay(waysToSend.find((one) => one === id) ?? way)} tabs={tabs}>
                  <div className="p-3">
                    <Connect way={way} />
                  </div>
                </Tabs>
              </div>
            </Step>
            <Step place={3} title="Run it" isLast>
              <CodeBlock className="my-1" look="commands" label="the commands" code={runCommands(way, destination, span)} />
              {way === 'python' && (
                <p className="mt-1.5 text-xs text-fg-3">
                  The example also needs <code>OPENAI_API_KEY</code>.
                </p>
              )}
              {way === 'node' && (
                <p className="mt-1.5 text-xs text-fg-3">
                  <code>HEDDLE_SPANS=all</code> sends every span; without it only those about models and the ones above them are sent.
                </p>
              )}
            </Step>
          </ol>
        </div>
      </div>
      <WaitingForTrace />
    </div>
  )
}

const tabs = waysToSend.map((id) => ({ id, label: wayNames[id] }))

/** What a program needs before it sends traces. */
function Connect({ way }: { way: WayToSend }) {
  if (way === 'opentelemetry') return <p>A program with an OpenTelemetry SDK, in any language, needs no change.</p>
  if (way === 'curl') return <p>Nothing to install: one request sends a trace with a span.</p>
  const { install, program, file } = programs[way]
  return (
    <>
      <CodeBlock className="my-1" look="commands" label="the command that installs" code={install} />
      <Fold icon={FileCode} title={`No program yet? Save this as ${file}`}>
        <CodeBlock className="my-1" label="the program" code={program} />
      </Fold>
    </>
  )
}

interface StepProperties {
  place: number
  title: string
  isDone?: boolean
  isLast?: boolean
  children: ReactNode
}

function Step({ place, title, isDone = false, isLast = false, children }: StepProperties) {
  return (
    <li className="grid grid-cols-[24px_minmax(0,1fr)] gap-x-4">
      <div className="flex flex-col items-center">
        <span
          className={cx(
            'num inline-flex size-6 shrink-0 items-center justify-center rounded-full border text-xs font-semibold',
            isDone ? 'border-green-line bg-green-soft text-green-text' : 'border-line-2 bg-sheet text-fg-2',
          )}
        >
          {isDone ? <Check size={13} strokeWidth={2.5} aria-label="done" /> : place}
        </span>
        {!isLast && <span aria-hidden className="w-px grow bg-line-2" />}
      </div>
      <div className={cx('min-w-0', isLast ? 'pb-2' : 'pb-7')}>
        <h3 className="mb-2 text-base leading-6 font-semibold">{title}</h3>
        {children}
      </div>
    </li>
  )
}
