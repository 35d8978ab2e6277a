import type { Page } from '@playwright/test'

/** Notes what the content policy of any page refuses from now on, and every error that a script throws. */
export async function watchPolicy(page: Page): Promise<() => string[]> {
  const seen: string[] = []
  await page.exposeFunction('noteViolation', (text: string) => seen.push(text))
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
      const note: unknown = Reflect.get(globalThis, 'noteViolation')
      if (typeof note === 'function') note(`${location.pathname}: ${effectiveDirective} refused ${blockedURI}`)
    })
  })
  page.on('pageerror', (error) => seen.push(`${new URL(page.url()).pathname}: ${error.message}`))
  return () => seen
}
