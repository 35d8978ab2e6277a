/** Scores the text alone. Each reason counts once; staff see its name in the quarantine. */
export type ContentScore = { score: number; reasons: string[] }

/** The parts of a message that are scored together. */
export type ScoredContent = { name: string; email: string; lines: string[]; message: string }

/** The content, with the counts that several signs share. */
type CountedContent = ScoredContent & { linkCount: number; pitchCount: number }

/** A sign, its weight, and its test. People who need data from the web send links: only a large number of them counts. */
const signs: { reason: string; weight: number; seen: (content: CountedContent) => boolean }[] = [
  { reason: 'markup', weight: 5, seen: ({ message }) => /<a\s[^>]{0,200}href|\[(?:url|link)[=\]]/i.test(message) },
  { reason: 'many_links', weight: 4, seen: ({ linkCount }) => linkCount > 5 },
  { reason: 'heap_of_links', weight: 4, seen: ({ linkCount }) => linkCount > 15 },
  { reason: 'only_a_link', weight: 3, seen: ({ message, linkCount }) => linkCount > 0 && message.replaceAll(LINK, '').trim().length < 10 },
  { reason: 'link_in_name', weight: 6, seen: ({ name }) => linksIn(name) > 0 || /https?:|www\./i.test(name) },
  { reason: 'link_in_field', weight: 3, seen: ({ lines }) => lines.some((line) => linksIn(line) > 1) },
  { reason: 'known_pitch', weight: 4, seen: ({ pitchCount }) => pitchCount > 0 },
  { reason: 'several_pitches', weight: 4, seen: ({ pitchCount }) => pitchCount > 1 },
  { reason: 'gibberish_name', weight: 4, seen: ({ name }) => isGibberish(name) },
  { reason: 'gibberish_message', weight: 4, seen: ({ message }) => isGibberish(message) },
  { reason: 'disposable_address', weight: 2, seen: ({ email }) => disposable.has(email.slice(email.lastIndexOf('@') + 1).toLowerCase()) },
  { reason: 'shouting', weight: 2, seen: ({ message }) => isShouting(message) },
]

const LINK = /\b(?:https?:\/\/|www\.)\S+/gi

/** Products that spam sells. Whole phrases, because single words of them are honest work of our customers. */
const pitches = [
  /\b(?:buy|cheap|generic|order)\s+(?:viagra|cialis|levitra|tramadol|xanax)\b/i,
  /\b(?:viagra|cialis)\b/i,
  /\bonline\s+casino|casino\s+bonus|sports?\s*betting\s+(?:site|bonus)/i,
  /\b(?:rank|ranking)\s+(?:your|my)\s+(?:web\s?site|site)\b|\bfirst\s+page\s+of\s+google\b|\bseo\s+(?:expert|services?|packages?|agency)\b/i,
  /\b(?:buy|sell|cheap|high[- ]quality|dofollow)\s+(?:cheap\s+|quality\s+)?back\s?links?\b|\bguest\s+post(?:s|ing)?\b|\blink\s+(?:insertion|exchange)\b/i,
  /\b(?:earn|make)\s+\$?\d[\d,.]*(?:\s*(?:k|usd|dollars))?\s+(?:a|per|every)\s+(?:day|week|hour)\b/i,
  /\b(?:double|multiply)\s+your\s+(?:bitcoin|btc|crypto|money|investment)\b|\bcrypto\s+(?:investment|giveaway)\b/i,
  /\b(?:business|personal|quick|payday)\s+loans?\s+(?:offer|approval|approved|at)\b|\bloan\s+offer\b/i,
  /\b(?:hot|sexy|single)\s+(?:girls?|women|ladies)\b|\badult\s+dating\b|\bporn\b/i,
  /\b(?:you have|you've)\s+won\b|\bclaim\s+your\s+(?:prize|reward)\b|\blottery\s+winner\b/i,
  /\byour\s+(?:domain|website)\s+(?:is\s+about\s+to\s+expire|has\s+been\s+hacked)\b/i,
]

const disposable = new Set(
  'mailinator.com guerrillamail.com 10minutemail.com temp-mail.org tempmail.com yopmail.com trashmail.com sharklasers.com getnada.com dispostable.com maildrop.cc throwawaymail.com'.split(
    ' ',
  ),
)

/** Scores the text: pure, fast and deterministic. */
export function scoreContent(content: ScoredContent): ContentScore {
  const counted = { ...content, linkCount: linksIn(content.message), pitchCount: pitchesIn(content) }
  const found = signs.filter(({ seen }) => seen(counted))
  return { score: found.reduce((sum, { weight }) => sum + weight, 0), reasons: found.map(({ reason }) => reason) }
}

function linksIn(text: string): number {
  return text.match(LINK)?.length ?? 0
}

function pitchesIn({ name, lines, message }: ScoredContent): number {
  const text = [name, ...lines, message].join('\n')
  return pitches.filter((pitch) => pitch.test(text)).length
}

/** A long run of Latin characters in no language: random case, or hardly a vowel. */
function isGibberish(text: string): boolean {
  const words = text.split(/\s+/).filter((word) => /^[A-Za-z]{10,}$/.test(word))
  const odd = words.filter((word) => caseJumps(word) >= 4 || !/[aeiouy]/i.test(word))
  return odd.length > 0 && odd.join('').length > text.length / 2
}

function caseJumps(word: string): number {
  return word.match(/[a-z][A-Z]/g)?.length ?? 0
}

function isShouting(text: string): boolean {
  const emails = text.replaceAll(/[^\p{Lu}\p{Ll}]/gu, '')
  return emails.length > 40 && emails.replaceAll(/\p{Ll}/gu, '').length > emails.length * 0.8
}
