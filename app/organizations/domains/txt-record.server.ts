import { Resolver } from 'node:dns/promises'

/** Each attempt ends after this time, so that a check takes at most twice as long. */
const TIMEOUT_MS = 4000

/** A text that is too long for one string of a record comes in pieces. */
async function resolve(domain: string): Promise<string[]> {
  const records = await new Resolver({ timeout: TIMEOUT_MS, tries: 2 }).resolveTxt(domain)
  return records.map((pieces) => pieces.join(''))
}

/** The texts that a domain has set in the DNS. Tests replace `findTexts`, because they have no network. */
export const txtRecords = { findTexts: resolve }

const NONE = new Set(['ENODATA', 'ENOTFOUND'])

/** `away`: the name servers gave no answer. */
export async function hasText(domain: string, text: string): Promise<'found' | 'missing' | 'away'> {
  try {
    return (await txtRecords.findTexts(domain)).some((each) => each.trim() === text) ? 'found' : 'missing'
  } catch (error) {
    return error instanceof Error && 'code' in error && NONE.has(String(error.code)) ? 'missing' : 'away'
  }
}
