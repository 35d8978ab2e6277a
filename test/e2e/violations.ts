import { type Page, test } from '@playwright/test'

/** Records all violations of the content policy from now on, and every error and warning of the console. */
export async function watchPolicy(page: Page): Promise<() => string[]> {
  const seen: string[] = []
  await page.exposeFunction('noteViolation', (text: string) => seen.push(text))
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
      const note: unknown = Reflect.get(globalThis, 'noteViolation')
      if (typeof note === 'function') note(`${location.pathname}: ${effectiveDirective} refused ${blockedURI}`)
    })
  })
  page.on('console', (message) => {
    // The browser notes each refusal of wrong input, and each page that is gone. Both are told to the person.
    const isFailedLoad = message.text().startsWith('Failed to load resource')
    if (isFailedLoad && (/status of (?:409|422)\b/.test(message.text()) || message.location().url === page.url())) return
    // A second try is recorded: the recorder's script is in each frame, and the frame of an email refuses all scripts.
    if (test.info().retry > 0 && message.text().startsWith('Blocked script execution')) return
    if (message.type() === 'error' || message.type() === 'warning') seen.push(`${new URL(page.url()).pathname}: ${message.text()}`)
  })
  page.on('pageerror', (error) => seen.push(`${new URL(page.url()).pathname}: ${error.message}`))
  return () => seen
}
