import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { LoggedTrajectoryGroup } from '@heddle/core-api'
import { useProject } from '../../app/use-project.ts'
import { Empty } from '../../components/empty.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { ShowQuery } from '../../components/show-query.tsx'
import { Time } from '../../components/time.tsx'
import { numberText } from '../evaluations/charts/number-text.ts'
import { modelQuery } from '../training/training-queries.ts'
import { nameOfGroup } from './group-statistics.ts'
import { GroupView } from './group-view.tsx'
import { LoggedFilterForm } from './logged-filter.tsx'
import { loggedGroupQuery, loggedGroupsQuery } from './trajectory-queries.ts'

const route = getRouteApi('/$entity/$project/training/models/$model/trajectories')

/** Rollouts of a model that were logged, by step and split. */
export function LoggedPage() {
  const project = useProject()
  const { model } = route.useParams()
  const { group } = route.useSearch()
  const name = useQuery(modelQuery(model)).data?.name
  return (
    <>
      <h1>Logged trajectories{name !== undefined && ` of ${name}`}</h1>
      <p>
        <Link to="/$entity/$project/training/models/$model" params={{ ...project, model }}>
          Back to the model
        </Link>
      </p>
      {group === undefined ? <Groups model={model} /> : <OneGroup model={model} group={group} />}
    </>
  )
}

function Groups({ model }: { model: string }) {
  const project = useProject()
  const { step, split } = route.useSearch()
  const query = useInfiniteQuery(loggedGroupsQuery(model, { step, split }))
  return (
    <>
      <LoggedFilterForm key={`${step} ${split}`} step={step} split={split} />
      <ShowQuery query={{ ...query, data: query.data?.pages.flatMap(({ data }) => data) }} what="the logged groups">
        {(groups) =>
          groups.length === 0 ? (
            <Empty title="No trajectories here">
              {step === undefined && split === undefined
                ? 'An agent logs its attempts with agent.log(split, groups). They appear here.'
                : 'None were logged at this step and split. Clear the filter to see all.'}
            </Empty>
          ) : (
            <div className="scroll" tabIndex={0} role="region" aria-label="Logged groups">
              <table>
                <thead>
                  <tr>
                    <th scope="col">Group</th>
                    <th scope="col">Split</th>
                    <th scope="col" className="number">
                      Step
                    </th>
                    <th scope="col">Rewards</th>
                    <th scope="col" className="number">
                      Failed
                    </th>
                    <th scope="col">Logged</th>
                  </tr>
                </thead>
                <tbody>
                  {groups.map((one) => (
                    <tr key={one.id}>
                      <td>
                        <Link
                          to="/$entity/$project/training/models/$model/trajectories"
                          params={{ ...project, model }}
                          search={{ step, split, group: one.id }}
                        >
                          {nameOf(one)}
                        </Link>
                      </td>
                      <td>{one.split}</td>
                      <td className="number">{one.step}</td>
                      <td>{rewardsText(one)}</td>
                      <td className="number">{one.exceptions.length}</td>
                      <td>
                        <Time value={one.created_at} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </ShowQuery>
      <MoreButton query={query}>Show more</MoreButton>
    </>
  )
}

function OneGroup({ model, group }: { model: string; group: string }) {
  const { trajectory } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <ShowQuery query={useQuery(loggedGroupQuery(model, group))} what="the logged group">
      {(found) =>
        found === null ? (
          <p className="problem">Logged group {group} not found in this model.</p>
        ) : (
          <>
            <h2>{nameOf(found)}</h2>
            <p className="row">
              <Link to="." search={(before) => ({ ...before, group: undefined, trajectory: undefined })}>
                All logged groups
              </Link>
              <span>
                split {found.split}, step {found.step}
              </span>
              <Time value={found.created_at} />
              <span className="muted">Log-probabilities are kept of what a job learned from, not of what is logged.</span>
            </p>
            <GroupView
              trajectories={found.trajectories}
              alone={trajectory === undefined ? undefined : trajectory - 1}
              onAlone={(alone) =>
                void navigate({
                  search: (before) => ({ ...before, trajectory: alone === undefined ? undefined : alone + 1 }),
                  replace: true,
                })
              }
            />
          </>
        )
      }
    </ShowQuery>
  )
}

const shownRewards = 12

function rewardsText({ trajectories }: LoggedTrajectoryGroup): string {
  const shown = trajectories.slice(0, shownRewards).map(({ reward }) => numberText(reward, false))
  return [...shown, ...(trajectories.length > shown.length ? [`and ${trajectories.length - shown.length} more`] : [])].join(', ')
}

const nameOf = ({ id, metadata }: LoggedTrajectoryGroup) => {
  const name = nameOfGroup({ group: 0, metadata })
  return name === 'Group 1' ? `Group ${id.slice(0, 8)}` : name
}
