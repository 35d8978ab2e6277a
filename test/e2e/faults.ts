import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

type Fault = Awaited<ReturnType<AxeBuilder['analyze']>>['violations'][number]

export type Look = {
  /** A selector of the checked part; the whole page by default. */
  part?: string
  /** The only rules to apply; all by default. */
  rules?: string[]
  /** Whether frames are checked as well. */
  iframes?: boolean
}

/** The rules that read colors. A color scheme changes nothing else, so the rest needs to be checked in one of them only. */
export const colorRules = ['color-contrast', 'link-in-text-block']

const fromAxe = createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright'))
const source = readFileSync(fromAxe.resolve('axe-core/axe.min.js'), 'utf8')

/**
 * The faults that axe finds on the current page. On a page without frames axe runs directly. The builder would load axe each time and assemble
 * the result in a separate tab, which costs more than the check.
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
