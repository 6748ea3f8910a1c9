import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { NotFound, PageError } from './page-error.tsx'
import { ProjectLayout } from './project-layout.tsx'
import { Shell } from './shell.tsx'

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound })
const lazy = lazyRouteComponent

const projects = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazy(() => import('../pages/projects/projects-page.tsx'), 'ProjectsPage'),
})
const project = createRoute({ getParentRoute: () => root, path: '/$entity/$project', component: ProjectLayout })
const home = createRoute({
  getParentRoute: () => project,
  path: '/',
  component: lazy(() => import('../pages/projects/project-home.tsx'), 'ProjectHome'),
})
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: lazy(() => import('../pages/sign-in/sign-in-link-page.tsx'), 'SignInLinkPage'),
})

const routeTree = root.addChildren([projects, signIn, project.addChildren([home])])

export const router = createRouter({
  routeTree,
  defaultErrorComponent: PageError,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
