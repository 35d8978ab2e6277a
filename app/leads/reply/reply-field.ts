/** The fields of replies and templates, and where each comes from. */
export const replyFields = {
  firstName: 'First name of the person',
  name: 'Name of the person',
  company: 'Company',
  reference: 'Reference of the enquiry',
  service: 'Service type',
  problem: 'What they need, in one line',
  senderName: 'Your name',
  callLink: 'Link to book a call',
} as const

export type ReplyFieldName = keyof typeof replyFields

/** The facts of a lead and of the sender. Missing ones are null. */
export type ReplyFacts = Record<ReplyFieldName, string | null>

const FIELD = /\{\{([^{}]*)\}\}/g

/** Replaces the fields whose facts are known. The others stay as they are. */
export function fillFields(text: string, facts: ReplyFacts): string {
  return text.replaceAll(FIELD, (written, name: string) => factOf(name, facts) ?? written)
}

/**
 * The same for Markdown. Visitors wrote most of the facts, so their signs are escaped: a name cannot become a link of ours. The link to book is
 * our own.
 */
export function fillMarkdown(text: string, facts: ReplyFacts): string {
  const escaped = Object.fromEntries(
    Object.entries(facts).map(([name, fact]) => [name, fact?.replaceAll(/[\\`*_[\]<>{}~|&]/g, '\\$&') ?? null]),
  )
  return fillFields(text, { ...facts, ...escaped, callLink: facts.callLink })
}

/** The fields that cannot be filled, as they are written: those without a fact, and those that do not exist. */
export function missingFields(text: string, facts: ReplyFacts): string[] {
  const written = [...text.matchAll(FIELD)].filter(([, name = '']) => factOf(name, facts) === null)
  return [...new Set(written.map(([field]) => field))]
}

function factOf(written: string, facts: ReplyFacts): string | null {
  const wanted = written.trim().toLowerCase()
  const known = Object.entries(facts).find(([name]) => name.toLowerCase() === wanted)
  return known?.[1] ?? null
}
