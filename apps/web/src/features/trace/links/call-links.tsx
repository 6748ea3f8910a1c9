import type { Call } from '@heddle/core-api/types'
import { Link } from '@tanstack/react-router'
import { addressOf } from '../../../lib/server/base-path.ts'
import { useProject } from '../../../lib/use-project.ts'
import { type CallLink, linksOfCall } from './links-of-call.ts'

const kinds: Record<CallLink['kind'], string> = {
  op: 'Op',
  parent: 'Parent',
  thread: 'Thread',
  run: 'Run',
  object: 'Object',
  call: 'Call',
  'linked span': 'Linked span',
}
const look = 'text-accent-text hover:underline'

/** References of a call, and lists that contain it. */
export function CallLinks({ call }: { call: Call }) {
  const { entity, project } = useProject()
  const { links, leftOut } = linksOfCall(call)
  const calls = { to: '/$entity/$project/calls', params: { entity, project } } as const
  return (
    <div className="flex flex-col gap-4 p-4">
      {links.length === 0 ? (
        <p className="text-fg-3">No links</p>
      ) : (
        <ul className="flex flex-col gap-1.5">
          {links.map(({ kind, title, href }) => (
            <li key={`${kind} ${title}`} className="grid grid-cols-[96px_minmax(0,1fr)] gap-x-4">
              <span className="leading-6 text-fg-3">{kinds[kind]}</span>
              <span className="leading-6 wrap-anywhere">
                {href === undefined ? (
                  title
                ) : (
                  <a href={addressOf(href)} className={look}>
                    {title}
                  </a>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
      {leftOut > 0 && <p className="text-xs text-fg-3">{`${leftOut.toLocaleString('en')} more are left out; they stand under Raw.`}</p>}
      <ul className="flex flex-col gap-1.5 border-t border-line pt-4">
        <li className="leading-6">
          <Link {...calls} search={{ level: 'all', where: [{ path: 'trace_id', operator: '=', value: call.trace_id }] }} className={look}>
            All spans of the trace
          </Link>
        </li>
        <li className="leading-6">
          <Link {...calls} search={{ level: 'all', where: [{ path: 'op_name', operator: '=', value: call.op_name }] }} className={look}>
            All spans of this operation
          </Link>
        </li>
      </ul>
    </div>
  )
}
