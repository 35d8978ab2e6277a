import { type ScoredContent, scoreContent } from './content-score.ts'
import { LEAST_FILL_MS } from './form-token.ts'
import { ageOfFormToken } from './form-token.server.ts'
import { spendProof } from '#app/platform/guard/proof-of-work.server.ts'

/** The signals beside the text. Visitors without JavaScript send none, which alone is no evidence. */
export type Evidence = {
  /** Whether the hidden field was filled in. */
  trapped: boolean
  /** As it was sent: any value. */
  token: unknown
  proof: unknown
}

/** `prove`: demand a proof of work and decide then. `quarantine`: hold it until a person has looked. */
export type Verdict = { outcome: 'clean' | 'prove' | 'quarantine'; score: number; reasons: string[] }

const DOUBTFUL = 5
const CERTAIN = 10

/** Decides what happens to a message. `subject` is the text that the proof of work has to cover. */
export async function judge(content: ScoredContent, { trapped, token, proof }: Evidence, subject: string): Promise<Verdict> {
  const words = scoreContent(content)
  const age = typeof token === 'string' ? ageOfFormToken(token) : undefined
  const signs = [
    ...(trapped ? [{ reason: 'hidden_field', weight: CERTAIN }] : []),
    ...(token !== undefined && age === undefined ? [{ reason: 'unknown_token', weight: 2 }] : []),
    ...(age !== undefined && age < LEAST_FILL_MS ? [{ reason: 'too_fast', weight: DOUBTFUL }] : []),
  ]
  const score = signs.reduce((sum, { weight }) => sum + weight, words.score)
  const reasons = [...words.reasons, ...signs.map(({ reason }) => reason)]
  if (score < DOUBTFUL) return { outcome: 'clean', score, reasons }
  if (score >= CERTAIN) return { outcome: 'quarantine', score, reasons }
  if (proof !== undefined) return { outcome: (await spendProof(proof, subject)) ? 'clean' : 'quarantine', score, reasons }
  // A token was fetched by JavaScript, which can also do the work.
  return { outcome: age === undefined ? 'quarantine' : 'prove', score, reasons }
}
