// Parts around the trace that it does not wait for, in one file: a page with many small ones waits for each.
export { CallMenu } from '../../features/trace/actions/call-menu.tsx'
export { TrajectoriesOfTrace } from './trajectories-of-trace.tsx'
