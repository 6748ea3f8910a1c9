import type { Call } from '@heddle/core-api'
import { Link } from '@tanstack/react-router'
import { addressOf } from '../../../app/base-path.ts'
import { useProject } from '../../../app/use-project.ts'
import { linksOfCall } from './links-of-call.ts'

/** What a call names, and lists that hold it. */
export function CallLinks({ call }: { call: Call }) {
  const { entity, project } = useProject()
  const { links, leftOut } = linksOfCall(call)
  const calls = { to: '/$entity/$project/calls', params: { entity, project } } as const
  return (
    <>
      <ul className="links-of-call">
        <li>
          <Link {...calls} search={{ level: 'all', where: [{ path: 'trace_id', operator: '=', value: call.trace_id }] }}>
            All calls of the trace
          </Link>
        </li>
        <li>
          <Link {...calls} search={{ level: 'all', where: [{ path: 'op_name', operator: '=', value: call.op_name }] }}>
            All calls of the same op
          </Link>
        </li>
      </ul>
      {links.length === 0 && <p className="muted">The call names no op version, object, thread or other call.</p>}
      {links.length > 0 && (
        <ul className="links-of-call">
          {links.map(({ kind, title, href }) => (
            <li key={`${kind} ${title}`}>
              <span className="muted">{kind}</span> {href === undefined ? title : <a href={addressOf(href)}>{title}</a>}
            </li>
          ))}
        </ul>
      )}
      {leftOut > 0 && <p className="notice">{`${leftOut.toLocaleString('en')} more are left out; they stand under Raw.`}</p>}
    </>
  )
}
