import { oneLine } from '#app/platform/text/clean-text.ts'
import { env } from '#app/platform/env.server.ts'
import type { SaidSource, Source } from './source.ts'

const LONGEST_ADDRESS = 2_000
const LONGEST_PATH = 300
const LONGEST_VALUE = 100
const MOST_VALUES = 8
const CAMPAIGN = /^(utm_[a-z_]{1,20}|ref)$/
const HOST = /^[a-z\d.:[\]-]{1,253}$/

type Headers = Readonly<Record<string, string | string[] | undefined>>

/**
 * The source of a form. Its page is what the form says, or the `Referer` of the request. Both are a visitor's own words, so they are cleaned
 * and cut. Nothing is read from the device, and no earlier visit is known.
 */
export function sourceOf(form: string, said: SaidSource, headers: Headers): Source {
  const site = new URL(env.SITE_URL)
  const sentFrom = readAddress(headers['referer']?.toString())
  const page = readAddress(said.page, site.href) ?? (sentFrom?.host === site.host ? sentFrom : undefined)
  const before = readAddress(said.referrer)?.host
  return {
    form,
    path: page ? oneLine(page.pathname).slice(0, LONGEST_PATH) : null,
    referrer: before && before !== site.host && HOST.test(before) ? before : null,
    campaign: campaignOf(page),
  }
}

function readAddress(text: string | undefined, base?: string): URL | undefined {
  return text && text.length <= LONGEST_ADDRESS ? (URL.parse(text, base) ?? undefined) : undefined
}

function campaignOf(page: URL | undefined): Source['campaign'] {
  const said = [...(page?.searchParams ?? [])]
    .map(([name, value]) => [name.toLowerCase(), Array.from(oneLine(value)).slice(0, LONGEST_VALUE).join('')] as const)
    .filter(([name, value]) => CAMPAIGN.test(name) && value !== '')
  return Object.fromEntries(said.slice(0, MOST_VALUES))
}
