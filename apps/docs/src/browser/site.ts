import { addCopyButtons } from './copy-buttons.ts'
import { followOutline } from './follow-outline.ts'
import { openMenu } from './open-menu.ts'
import { openSearch } from './search-dialog.ts'
import { chooseThemeByButton } from './theme-button.ts'

addCopyButtons()
openMenu()
openSearch()
chooseThemeByButton()
followOutline()
