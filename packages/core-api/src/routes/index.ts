export { type Route, type Routes, toRoutes } from './route.ts'
export { tracingRoutes } from './tracing-routes.ts'
export { trainingRoutes } from './training-routes.ts'
