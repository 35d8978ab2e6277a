import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

type Fault = Awaited<ReturnType<AxeBuilder['analyze']>>['violations'][number]

type Look = {
  /** A selector of what is looked at, when it is not the whole page. */
  part?: string
  /** The only rules that are applied, when it is not all of them. */
  rules?: string[]
  /** Whether frames are looked at as well. */
  iframes?: boolean
}

const fromAxe = createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright'))
const source = readFileSync(fromAxe.resolve('axe-core/axe.min.js'), 'utf8')

/**
 * What axe finds wrong with a page as it is shown now. A page without frames is asked directly: the builder would read axe anew each time, and put
 * the result together in a tab of its own, which costs more than the look.
 */
export async function faultsOf(page: Page, { part, rules, iframes = true }: Look = {}): Promise<Fault[]> {
  const options = { ...(rules && { runOnly: { type: 'rule' as const, values: rules } }), iframes }
  if (iframes && page.frames().length > 1) {
    const builder = new AxeBuilder({ page }).options(options)
    return (await (part ? builder.include(part) : builder).analyze()).violations
  }
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  const asked = `axe.run(${part ? JSON.stringify({ include: [part] }) : 'document'}, ${JSON.stringify({ ...options, resultTypes: ['violations'] })})`
  return (await page.evaluate<{ violations: Fault[] }>(asked)).violations
}
