// Parts around the list that it does not wait for, in one file: a page with many small ones waits for each.
export { CallsColumnsMenu } from './calls-columns-menu.tsx'
export { CallsFooter } from './calls-footer.tsx'
export { CallsMenu } from './calls-menu.tsx'
export { CallsStrip } from './calls-strip.tsx'
