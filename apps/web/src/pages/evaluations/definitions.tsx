import { parseRef } from '@heddle/core-api'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useProject } from '../../app/use-project.ts'
import { ShowQuery } from '../../components/show-query.tsx'
import { Time } from '../../components/time.tsx'
import { DatasetLink } from './dataset-link.tsx'
import { definitionsQuery, maxDefinitions } from './definitions-query.ts'

const shownScorers = 5

/** The latest version of each evaluation: its dataset, its scorers, and how often it predicts a row. Nothing where there is none. */
export function Definitions() {
  const project = useProject()
  const query = useQuery(definitionsQuery(project))
  return (
    <ShowQuery query={query} what="the definitions of evaluations">
      {({ definitions, hasMore }) =>
        definitions.length === 0 ? null : (
          <section aria-labelledby="definitions">
            <h2 id="definitions">Evaluations</h2>
            {hasMore && <p className="notice">These are the newest {maxDefinitions} evaluations.</p>}
            <div className="scroll">
              <table>
                <thead>
                  <tr>
                    <th scope="col">Evaluation</th>
                    <th scope="col">Dataset</th>
                    <th scope="col">Scorers</th>
                    <th scope="col" className="number">
                      Trials of a row
                    </th>
                    <th scope="col">Published</th>
                  </tr>
                </thead>
                <tbody>
                  {definitions.map(({ name, objectId, dataset, scorers, trials, createdAt }) => (
                    <tr key={objectId}>
                      <td>
                        <Link to="/$entity/$project/$kind/$object" params={{ ...project, kind: 'objects', object: objectId }}>
                          {name}
                        </Link>
                      </td>
                      <td>
                        <DatasetLink dataset={dataset} />
                      </td>
                      <td>{scorersText(scorers)}</td>
                      <td className="number">{trials ?? '–'}</td>
                      <td>
                        <Time value={createdAt} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </section>
        )
      }
    </ShowQuery>
  )
}

function scorersText(scorers: readonly string[]): string {
  if (scorers.length === 0) return '–'
  const names = scorers.slice(0, shownScorers).map((ref) => {
    const parsed = parseRef(ref)
    return parsed?.kind === 'object' || parsed?.kind === 'op' ? parsed.name : ref.slice(0, 40)
  })
  return [...names, ...(scorers.length > shownScorers ? [`and ${scorers.length - shownScorers} more`] : [])].join(', ')
}
