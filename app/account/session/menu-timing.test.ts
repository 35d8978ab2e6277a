import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'

/** The code of the menu as it is installed, found the way our own import finds it. */
function installedMenu(): string {
  const fromDropdown = createRequire(createRequire(import.meta.url).resolve('radix-ui'))
  return readFileSync(fromDropdown.resolve('@radix-ui/react-menu').replace(/\.js$/, '.mjs'), 'utf8')
}

// The menu offers no setting for these, so an update of the package could change them without a word.
test('the search by typing in the menu restarts after 1 s, and a sub-menu opens after 100 ms', () => {
  const code = installedMenu()
  expect(code).toMatch(/window\.setTimeout\(\(\) => updateSearch\(""\), 1e3\)/)
  expect(code).toMatch(/openTimerRef\.current = window\.setTimeout\(\(\) => \{[^}]*\}, 100\)/)
})
