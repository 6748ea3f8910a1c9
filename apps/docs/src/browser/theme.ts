import { applyTheme, readTheme } from '@heddle/web/theme'

// The theme that was chosen here or in the pages of Heddle, which share their storage.
applyTheme(readTheme(window.localStorage))
