import { isApiError } from '@heddle/core-api'
import { useQuery } from '@tanstack/react-query'
import { useProject } from '../../app/use-project.ts'
import { ShowQuery } from '../../components/show-query.tsx'
import { Time } from '../../components/time.tsx'
import { maxKeysOfMembers, membersKeysQuery } from './keys-queries.ts'
import { type Member, membersOf } from './members-of.ts'

/** Who can use the project with a key, for its administrators. */
export function Members() {
  const { id } = useProject()
  const query = useQuery(membersKeysQuery(id))
  const isForbidden = isApiError(query.error) && query.error.status === 403
  return (
    <section aria-labelledby="members">
      <h2 id="members">Members</h2>
      {isForbidden ? (
        <p>Only keys with the role admin in this project may see who can use it.</p>
      ) : (
        <>
          <p className="muted">The users of the keys below that work now. Who has only keys that reach further than yours is not listed.</p>
          <ShowQuery query={query} what="the members of the project">
            {({ keys, hasMore }) => (
              <>
                <ListedMembers members={membersOf(keys, Date.now())} />
                {hasMore && (
                  <p className="notice">
                    The project has more keys than {maxKeysOfMembers.toLocaleString('en')}: members are those of the newest.
                  </p>
                )}
              </>
            )}
          </ShowQuery>
        </>
      )}
    </section>
  )
}

function ListedMembers({ members }: { members: readonly Member[] }) {
  if (members.length === 0) return <p>Nobody has a key that is limited to this project.</p>
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label="Members">
      <table>
        <thead>
          <tr>
            <th scope="col">User</th>
            <th scope="col">Highest role</th>
            <th scope="col" className="number">
              Keys
            </th>
            <th scope="col">Last used</th>
          </tr>
        </thead>
        <tbody>
          {members.map(({ user_id, strongest: { role, scopes }, keys, last_used_at, is_own }) => (
            <tr key={user_id}>
              <td>
                {user_id} {is_own && <span className="tag">you</span>}
              </td>
              <td>
                {role}
                {scopes.length > 0 && `, only ${scopes.join(' and ')}`}
              </td>
              <td className="number">{keys}</td>
              <td>{last_used_at === null ? 'never' : <Time value={last_used_at} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
