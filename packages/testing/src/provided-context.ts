import 'vitest'

declare module 'vitest' {
  /** What the settings and the global setups give to all tests of a run: `inject` reads it. */
  interface ProvidedContext {
    /** True in `npm run test:long`: random trials run with their full counts. */
    long: boolean
    /** Folder for what servers log in this run. */
    logFolder: string
    /** URL of a PostgreSQL for tests; '' where none can be run. */
    postgresUrl: string
    /** URL of the folder with what runs in processes of its own, built: loading the sources there takes ten times as long. */
    builtChildren: string
    /** URL of the folder with the entries of the exporter, built for the programs that tests run. */
    builtExporter: string
    /** The folder that holds the stores of a run of the tests. */
    storesFolder: string
  }
}
