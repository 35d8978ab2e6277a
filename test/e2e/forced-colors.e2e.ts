import { expect, workingTest as test } from './fixtures.ts'
import { signInAsOwner } from './steps.ts'

test('with forced colors, the current page, section and filter can be told from the others', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await signInAsOwner(page)
  const places = [
    { path: '/leads?stage=1', nav: 'Main' },
    { path: '/leads?stage=1', nav: 'Stages' },
    { path: '/dashboard', nav: 'Period' },
    { path: '/account/security', nav: 'Account' },
  ]
  for (const { path, nav } of places) {
    await page.goto(path)
    const links = page.getByRole('navigation', { name: nav }).getByRole('link')
    await expect(links.nth(1)).toBeVisible()
    const looks = await links.evaluateAll((all) =>
      all.map((link) => ({ isCurrent: link.hasAttribute('aria-current'), background: getComputedStyle(link).backgroundColor })),
    )
    const [current, others] = [looks.filter(({ isCurrent }) => isCurrent), looks.filter(({ isCurrent }) => !isCurrent)]
    expect([nav, current.length]).toEqual([nav, 1])
    expect([nav, others.some(({ background }) => background === current[0]?.background)]).toEqual([nav, false])
  }
})
