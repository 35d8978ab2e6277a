import { type Content, scoreContent } from './content-score.ts'
import { LEAST_FILL_MS } from './fill-time.ts'
import { ageOfFormToken } from './form-token.server.ts'
import { isProven } from './proof.server.ts'

/** What came with a message beside its words. Whoever works without script brings none of it, and that alone is held against no one. */
export type Evidence = {
  /** Whether the field that no person sees was filled in. */
  trapped: boolean
  /** As it was sent: anything. */
  token: unknown
  proof: unknown
}

/** `prove`: ask the sender's machine for work and decide then. `quarantine`: keep it aside until a person has looked. */
export type Verdict = { outcome: 'clean' | 'prove' | 'quarantine'; score: number; reasons: string[] }

const DOUBTFUL = 5
const CERTAIN = 10

/** Decides what happens to a message. `subject` is what a proof of work must have been done for. */
export async function judge(content: Content, { trapped, token, proof }: Evidence, subject: string): Promise<Verdict> {
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
  if (proof !== undefined) return { outcome: (await isProven(proof, subject)) ? 'clean' : 'quarantine', score, reasons }
  // A token was fetched by script, and script can do the work.
  return { outcome: age === undefined ? 'quarantine' : 'prove', score, reasons }
}
